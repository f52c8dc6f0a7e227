import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A secret and the text it stands in: nothing of `value` may survive. */
export interface Secret {
  readonly id: string;
  readonly value: string;
  readonly text: string;
}
export interface Cases {
  readonly secrets: readonly Secret[];
  readonly benign: readonly { readonly id: string; readonly text: string }[];
}

const folder = resolve(process.env.PORTOLAN_SHARED ?? resolve(import.meta.dirname, '../../../shared'), 'redaction');
const casesFile = resolve(folder, 'cases.mjs');
const hostileFile = resolve(folder, 'hostile.mjs');

/** Whether the generators are there; tests that need them are skipped without. */
export const hasShared = existsSync(casesFile) && existsSync(hostileFile);
export const DRAWS = 20;

/** One draw of every kind of secret and look-alike. */
export async function draw(seed: number): Promise<Cases> {
  // The seed stands behind a question mark in the module's address, which Vitest's import takes no notice of.
  const source = readFileSync(casesFile, 'utf8').replaceAll('import.meta.url', `'file:///cases?seed=${seed}'`);
  return import(/* @vite-ignore */ `data:text/javascript;base64,${Buffer.from(source).toString('base64')}`);
}

/** Texts of `length` characters that make careless patterns slow, by name. */
export async function hostileTexts(length?: number): Promise<Record<string, string>> {
  const { hostile } = await import(/* @vite-ignore */ pathToFileURL(hostileFile).href);
  return hostile(length);
}
