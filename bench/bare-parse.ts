import { readFileSync } from 'node:fs';
import { transcriptsOf } from './transcripts.ts';

/**
 * The bare pass that an index is measured against, a process of its own: every line of every transcript under the home
 * that is given is parsed, and nothing is kept. Prints { ms, bytes, lines }.
 */
const home = process.argv[2];
if (home === undefined) throw new Error('bare-parse.ts <home>');
const files = transcriptsOf(home);
const begin = performance.now();
let bytes = 0;
let lines = 0;
let bad = 0;
for (const file of files) {
  const data = readFileSync(file);
  bytes += data.length;
  const text = data.toString('utf8');
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    if (end > start) {
      lines++;
      try {
        JSON.parse(text.slice(start, end));
      } catch {
        bad++;
      }
    }
    start = end + 1;
  }
}
process.stdout.write(`${JSON.stringify({ ms: performance.now() - begin, bytes, lines, bad })}\n`);
