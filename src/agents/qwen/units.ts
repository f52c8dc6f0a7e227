import { readFileSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { filesBelow, fileUnit } from '../folders.ts';
import { recordsOf as oldRecordsOf } from '../gemini/records.ts';
import type { Encounters, Root, Unit } from '../source.ts';

/** `projects/<project>/subagents/<session>/agent-*.jsonl`. */
const DEPTH = 4;

/** The transcripts of newer versions: `projects/<project>/chats/<session>.jsonl`, and the sub-agents beside them. */
export async function* chats(root: Root, met: Encounters = {}): AsyncIterable<Unit> {
  for (const path of filesBelow(join(root.path, 'projects'), root.path, { depth: DEPTH }, met)) {
    const unit = chatAt(root, path, met);
    if (unit) yield unit;
  }
}

/** The transcript that a path under a root is. */
export function chatAt(root: Root, path: string, met?: Encounters): Unit | undefined {
  const [projects, project, kind, ...below] = relative(root.path, path).split(sep);
  if (projects !== 'projects' || project === undefined || !/^[^.].*\.jsonl$/.test(basename(path))) return undefined;
  const isChat = kind === 'chats' && below.length === 1;
  const isAgent = kind === 'subagents' && below.length === 2;
  if (!isChat && !isAgent) return undefined;
  const layout = isAgent ? 'agent' : 'transcript';
  return fileUnit({ source: 'qwen', path, layout, format: 'append', isOneSession: true }, met);
}

/** The records of a transcript or an old chat as they stand. */
export function recordsOf(unit: Unit): string[] {
  if (unit.format === 'snapshot') return oldRecordsOf(unit);
  return readFileSync(unit.path, 'utf8').split('\n');
}
