import { describe, expect, it } from 'vitest';
import { secretlint } from '../../bench/secretlint.ts';
import { redactText } from '../../src/redact/redact.ts';
import { LABEL } from '../../src/redact/rule.ts';
import { inContext } from './contexts.ts';
import { Maker } from './make.ts';
import { draw, hasShared } from './shared.ts';

const DRAWS = 5;

/** The texts in which secretlint finds something, and those of them in which it still does when we are through. */
async function opinions(texts: readonly { readonly id: string; readonly text: string }[]) {
  const found = new Set<string>();
  const left = new Set<string>();
  for (const { id, text } of texts) {
    if ((await secretlint(text)) === 0) continue;
    found.add(id);
    // A label stands where a password stood: to secretlint it is one.
    if ((await secretlint(redactText(text).text.replace(LABEL, ''))) > 0) left.add(id);
  }
  return { found, left: [...left] };
}

describe('a second opinion, secretlint’s', () => {
  it('finds nothing that was left of secrets in their surroundings', async () => {
    const texts = Array.from({ length: DRAWS }, (_, seed) => inContext(new Maker(500 + seed))).flat();
    const { found, left } = await opinions(texts);
    expect(left).toEqual([]);
    expect(found.size).toBeGreaterThan(10);
  });

  it('finds nothing that was left of the labelled kinds', async () => {
    const texts = Array.from({ length: DRAWS }, (_, seed) => new Maker(600 + seed).secrets()).flat();
    const { found, left } = await opinions(texts.map(({ label, value }) => ({ id: label, text: `use ${value} here` })));
    expect(left).toEqual([]);
    expect(found.size).toBe(3);
  });

  it.skipIf(!hasShared)('finds nothing that was left of the shared cases', async () => {
    const texts = (await Promise.all(Array.from({ length: DRAWS }, (_, seed) => draw(700 + seed)))).flatMap(
      ({ secrets }) => secrets,
    );
    const { found, left } = await opinions(texts);
    expect(left).toEqual([]);
    expect(found.size).toBeGreaterThan(20);
  });
});
