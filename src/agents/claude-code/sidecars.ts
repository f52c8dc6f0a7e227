import { basename, dirname, join, sep } from 'node:path';
import { type Fields, list, text, time } from '../fields.ts';
import { entriesOf } from '../folders.ts';
import { fieldsAt } from '../json.ts';
import type { SessionFacts, Unit } from '../source.ts';

/** What stands in the `.meta.json` beside a sub-agent's file. */
export function metaOf(agentFile: string): { readonly title?: string; readonly startedBy?: string } {
  const meta = fieldsAt(agentFile.replace(/\.jsonl$/, '.meta.json'));
  const title = text(meta.description);
  const startedBy = text(meta.toolUseId);
  return { ...(title !== undefined && { title }), ...(startedBy !== undefined && { startedBy }) };
}

/** What the desktop program says of a session: `local_<id>.json` beside the folder that holds the session's home. */
export function desktopFacts(unit: Unit): SessionFacts | undefined {
  if (unit.layout !== 'desktop') return undefined;
  const names = unit.path.split(sep);
  const folder = names.findLastIndex((name) => name.startsWith('local_'));
  if (folder < 0) return undefined;
  const stem = basename(unit.path, '.jsonl');
  const beside = names.slice(0, folder).join(sep);
  const said = sidecarOf(beside, names[folder]!, stem);
  const title = text(said.title);
  const selected = list(said.userSelectedFolders).flatMap((path) => text(path) ?? []);
  const activeAt = time(said.lastActivityAt);
  return {
    kind: 'transcript',
    client: { name: 'claude-code', surface: 'claude-desktop-cowork' },
    ...(title !== undefined && { titles: { agent: title } }),
    ...(selected[0] !== undefined && { cwd: selected[0], roots: selected }),
    ...(activeAt !== undefined && { activeAt }),
  };
}

function sidecarOf(folder: string, name: string, session: string): Fields {
  const own = fieldsAt(join(folder, `${name}.json`));
  if (own.cliSessionId === undefined || own.cliSessionId === session) return own;
  for (const { name: other } of entriesOf(folder)) {
    if (!other.startsWith('local_') || !other.endsWith('.json')) continue;
    const said = fieldsAt(join(folder, other));
    if (said.cliSessionId === session) return said;
  }
  return {};
}

/** The name that `/rename` left beside a transcript. */
export function customTitle(transcript: string): string | undefined {
  const folder = join(dirname(transcript), basename(transcript, '.jsonl'));
  return text(fieldsAt(join(folder, 'custom-title.json')).customTitle);
}
