import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What `workspace.yaml` beside a session's events says: its name, and whether a person gave it. */
export function nameOf(events: string): { readonly name: string; readonly isUsers: boolean } | undefined {
  let content: string;
  try {
    content = readFileSync(join(dirname(events), 'workspace.yaml'), 'utf8');
  } catch {
    return undefined;
  }
  const name = scalarOf(content, 'name') ?? scalarOf(content, 'summary');
  return name === undefined ? undefined : { name, isUsers: scalarOf(content, 'user_named') === 'true' };
}

/** A text at the top of a YAML document, which the program writes flat: plain, between quotes, or as a block of lines. */
function scalarOf(yaml: string, key: string): string | undefined {
  const lines = yaml.split(/\r?\n/);
  const at = lines.findIndex((line) => line.startsWith(`${key}:`));
  const first = lines[at]?.slice(key.length + 1).trim();
  if (first === undefined) return undefined;
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => line !== '' && !line.startsWith(' '));
  const below = rest.slice(0, end < 0 ? rest.length : end).map((line) => line.trim());
  if (/^[|>][-+]?\d?$/.test(first)) return below.join(first.startsWith('|') ? '\n' : ' ').trim() || undefined;
  // A text between quotes may go on in the lines below.
  const whole = [first, ...below].join(' ').trim();
  if (whole.startsWith("'")) return whole.replace(/^'|'$/g, '').replaceAll("''", "'") || undefined;
  if (!whole.startsWith('"')) return whole === '' || whole === 'null' ? undefined : whole;
  try {
    return String(JSON.parse(whole)) || undefined;
  } catch {
    return undefined;
  }
}
