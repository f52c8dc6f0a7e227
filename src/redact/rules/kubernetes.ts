import { looksRandom, meanWord } from '../plausible.ts';
import type { Rule, Span } from '../rule.ts';

/** How far a secret's data stand from its kind. */
const FARTHEST = 8192;
const KIND = /kind\\{0,6}["']?:/g;
/** A key and its value, a line each, plain or in JSON. */
const ENTRY = /[\w.-]{1,253}\\{0,6}["']?:[ \t]{0,4}\\{0,6}["']?(?<value>[^\s"',\\{}[\]|>]{6,4096})/g;
const DATA = /(?:^|[\s"'{,]|\\n)(?:stringData|data)\\{0,6}["']?:/;
/** Where the data of a manifest end: at a line that is not further in. */
const ENDS = /\n\S|\\n[^\s\\]|\}/;

/** The data of Kubernetes secrets, whatever their names. */
export const KUBERNETES: readonly Rule[] = [
  {
    label: 'SECRET',
    literals: ['kind'],
    pattern: /kind\\{0,6}["']?:[ \t]{0,4}\\{0,6}["']?Secret\b(?!\w)/y,
    reach: dataOf,
  },
];

/** The values of the data before or behind the kind, in the same manifest: no other kind stands between. */
function dataOf(text: string, kind: Span): readonly Span[] {
  const before = text.slice(Math.max(0, kind.start - FARTHEST), kind.start);
  const opened = Math.max(before.lastIndexOf('\n---'), ...[...before.matchAll(KIND)].map((found) => found.index)) + 1;
  const behind = text.slice(kind.end, kind.end + FARTHEST);
  const closed = [behind.indexOf('\n---'), behind.search(KIND)].filter((at) => at >= 0);
  return [
    ...valuesIn(before.slice(opened), kind.start - before.length + opened),
    ...valuesIn(behind.slice(0, Math.min(behind.length, ...closed)), kind.end),
  ];
}

function valuesIn(manifest: string, from: number): Span[] {
  const spans: Span[] = [];
  let at = 0;
  for (;;) {
    const data = DATA.exec(manifest.slice(at));
    if (!data) return spans;
    at += data.index + data[0].length;
    const length = manifest.slice(at).search(ENDS);
    const block = length < 0 ? manifest.slice(at) : manifest.slice(at, at + length);
    for (const found of block.matchAll(ENTRY)) {
      const value = found.groups?.value ?? '';
      if (!isValue(value)) continue;
      const start = from + at + found.index + found[0].length - value.length;
      spans.push({ start, end: start + value.length });
    }
    at += block.length;
  }
}

function isValue(value: string): boolean {
  return looksRandom(value) && meanWord(value) < 5;
}
