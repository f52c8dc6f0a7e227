/** `npm run matrix`: what each source tells, from its definition, into sources.md and the README. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SOURCES } from '../src/agents/registry.ts';
import { CAPABILITIES, type Capability } from '../src/agents/source.ts';

const BEGIN = '<!-- matrix: made by npm run matrix -->';
const END = '<!-- /matrix -->';

/** The documents that have the matrix. */
export const WITH_MATRIX: readonly string[] = ['sources.md', '../README.md'].map((name) =>
  join(import.meta.dirname, name),
);

/** A document with the matrix as the sources are now. @throws where it has no place for it */
export function withMatrix(document: string): string {
  const [begin, end] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`there is no place for the matrix: ${BEGIN} … ${END}`);
  return `${document.slice(0, begin + BEGIN.length)}\n\n${matrix()}\n\n${document.slice(end)}`;
}

function matrix(): string {
  // Its own keys, in the order of their definition.
  const capabilities = Object.keys(CAPABILITIES) as Capability[];
  return [
    row(['agent', ...capabilities]),
    row(['---', ...capabilities.map(() => ':-:')]),
    ...SOURCES.map(({ label, unverified, capabilities: own }) =>
      row([
        unverified === undefined ? label : `${label} \\*`,
        ...capabilities.map((name) => (own.includes(name) ? '✓' : ' ')),
      ]),
    ),
    '',
    '\\* unverified: no file that the agent itself wrote was seen.',
  ].join('\n');
}

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

if (import.meta.main) for (const path of WITH_MATRIX) writeFileSync(path, withMatrix(readFileSync(path, 'utf8')));
