import type { Cut } from '../../transcript/index.ts';
import { realWords } from './openings.ts';

/** UTF-16 units of a tool's output that the archive keeps. */
export const KEPT_OF_AN_OUTPUT = 256 * 1024;
/** Of any other text: prompts, answers, thinking, each argument of a tool. */
export const KEPT_OF_A_TEXT = 1 << 20;
/** A chunk is closed when it holds this much: larger ones compress better, smaller ones are read and changed sooner. */
export const CHUNK_SIZE = 32 * 1024;

/** Of a prompt, to name a turn or a session by. */
const PREVIEW = 160;
/** Its first real words are looked for in so much of a prompt. */
const LOOKED_AT = 2000;

/** The first real words of a prompt. */
export function previewOf(prompt: string): string {
  return cutAt(realWords(cutAt(prompt, LOOKED_AT).text), PREVIEW).text;
}

/** The text shortened to a limit, never inside a character, and what was left out. */
export function cutAt(text: string, limit: number): { readonly text: string; readonly cut?: Cut } {
  if (text.length <= limit) return { text };
  const half = text.charCodeAt(limit - 1);
  const end = half >= 0xd800 && half <= 0xdbff ? limit - 1 : limit;
  return { text: text.slice(0, end), cut: { length: text.length, kept: end } };
}
