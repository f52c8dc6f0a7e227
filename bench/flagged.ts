// Lists every string that the redactor would hide in real texts, to be judged by eye. The texts are the decoded strings
// of JSON and JSONL files below the given folders, and other text files whole; each is counted once.
//   node bench/flagged.ts [--mb 25] FOLDER…
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Redactor } from '../src/redact/redactor.ts';
import { RULES } from '../src/redact/rules/index.ts';

const CONTEXT = 48;
const KINDS = new Set('jsonl json md txt ts js mjs cjs py go rs c h sh yml yaml toml html xml cfg conf'.split(' '));
const { values, positionals } = parseArgs({ options: { mb: { type: 'string' } }, allowPositionals: true });
const most = Number(values.mb ?? 25) * 1e6;

function* stringsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (value !== null && typeof value === 'object') for (const item of Object.values(value)) yield* stringsIn(item);
}

function* textsOf(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const kind = /\.(\w+)$/.exec(entry.name)?.[1] ?? '';
    if (!entry.isFile() || !KINDS.has(kind)) continue;
    const content = readFileSync(join(entry.parentPath, entry.name), 'utf8');
    if (kind === 'json') yield* decoded(content);
    else if (kind === 'jsonl') for (const line of content.split('\n')) yield* decoded(line);
    else yield content;
  }
}

function* decoded(line: string): Generator<string> {
  try {
    yield* stringsIn(JSON.parse(line));
  } catch {
    // Torn lines are real; this list can do without them.
  }
}

const redactor = new Redactor(RULES);
const texts = new Set<string>();
const flagged = new Map<string, { readonly label: string; readonly before: string; count: number }>();
let bytes = 0;
for (const text of positionals.flatMap((folder) => [...textsOf(folder)])) {
  if (bytes >= most) break;
  if (texts.has(text)) continue;
  texts.add(text);
  bytes += Buffer.byteLength(text);
  for (const { start, end, label } of redactor.find(text)) {
    const secret = text.slice(start, end);
    const known = flagged.get(secret);
    if (known) known.count++;
    else flagged.set(secret, { label, before: text.slice(Math.max(0, start - CONTEXT), start), count: 1 });
  }
}
for (const [secret, { label, before, count }] of flagged)
  console.log(`${label} x${count}  ${JSON.stringify(before)} >>> ${JSON.stringify(secret.slice(0, 120))}`);
console.log(`${flagged.size} strings flagged in ${(bytes / 1e6).toFixed(1)} MB of ${texts.size} texts`);
