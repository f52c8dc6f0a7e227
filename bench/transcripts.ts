import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDERS = [join('.claude', 'projects'), join('.codex', 'sessions')];

/** The files under a home that agents wrote and that an index reads. */
export function transcriptsOf(home: string): string[] {
  const files = FOLDERS.map((folder) => join(home, folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl') && entry.name !== 'journal.jsonl')
    .map((entry) => join(entry.parentPath, entry.name));
  return files.sort();
}

/** The decoded strings of the transcripts under a home, short ones and keys left out, until there are `most` bytes. */
export function stringsOf(home: string, most: number): { readonly strings: string[]; readonly bytes: number } {
  const strings: string[] = [];
  let bytes = 0;
  const take = (value: unknown): void => {
    if (typeof value === 'string') {
      if (value.length < 40) return;
      strings.push(value);
      bytes += Buffer.byteLength(value);
    } else if (value !== null && typeof value === 'object') for (const item of Object.values(value)) take(item);
  };
  for (const file of transcriptsOf(home)) {
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      try {
        take(JSON.parse(line));
      } catch {
        // Torn lines and two records on one are real; a benchmark can do without them.
      }
      if (bytes >= most) return { strings, bytes };
    }
  }
  return { strings, bytes };
}
