import type { Rule, Span } from './rule.ts';

/** A text without its secrets, and how many were hidden: of what kind and where is told nobody. */
export interface RedactedText {
  readonly text: string;
  readonly count: number;
}

interface Found extends Span {
  readonly label: string;
}

/** No secret that a rule knows is shorter. */
const SHORTEST = 8;

/** A function that hides, in any text, what the rules find. It gives the very same string where they find nothing. */
export function createRedactor(rules: readonly Rule[]): (text: string) => RedactedText {
  const screen = screenFor(rules);
  return (text) => {
    if (text.length < SHORTEST || !screen.test(text)) return { text, count: 0 };
    const found: Found[] = [];
    for (const rule of rules) if (mayMatch(rule, text)) find(rule, text, found);
    return found.length === 0 ? { text, count: 0 } : replace(text, merge(found));
  };
}

/** One pattern for the literals of all rules: one scan over a text tells that it holds no secret. */
function screenFor(rules: readonly Rule[]): RegExp {
  if (rules.some((rule) => rule.literals.length === 0)) return /(?:)/;
  const literals = [...new Set(rules.flatMap((rule) => rule.literals))];
  return literals.length === 0 ? /(?!)/ : new RegExp(literals.map((literal) => RegExp.escape(literal)).join('|'));
}

function mayMatch(rule: Rule, text: string): boolean {
  return rule.literals.length === 0 || rule.literals.some((literal) => text.includes(literal));
}

function find(rule: Rule, text: string, found: Found[]): void {
  for (const match of text.matchAll(rule.pattern)) {
    if (match[0] === '') continue;
    if (rule.plausible && !rule.plausible(match.groups?.body ?? match[0])) continue;
    const whole = { start: match.index, end: match.index + match[0].length };
    const span = rule.reach ? rule.reach(text, whole) : rule.group === undefined ? whole : spanOf(match, rule.group);
    if (span) found.push({ ...span, label: rule.label });
  }
}

/** Where a group stands: the pattern of a rule that hides a group has the flag `d`. */
function spanOf(match: RegExpExecArray, group: number): Span | undefined {
  const place = match.indices?.[group];
  return place && place[1] > place[0] ? { start: place[0], end: place[1] } : undefined;
}

/** Overlapping finds made one, under the label of the longest, so that nothing is replaced or counted twice. */
function merge(found: Found[]): Found[] {
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  const merged: Found[] = [];
  let longest = 0;
  for (const span of found) {
    const last = merged.at(-1);
    const length = span.end - span.start;
    if (!last || span.start >= last.end) {
      merged.push(span);
      longest = length;
      continue;
    }
    const label = length > longest ? span.label : last.label;
    longest = Math.max(longest, length);
    merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, span.end), label };
  }
  return merged;
}

function replace(text: string, spans: readonly Found[]): RedactedText {
  let out = '';
  let at = 0;
  for (const { start, end, label } of spans) {
    out += `${text.slice(at, start)}[${label}]`;
    at = end;
  }
  return { text: out + text.slice(at), count: spans.length };
}
