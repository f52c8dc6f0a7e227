import { describe, expect, it } from 'vitest';
import { redactDeep, redactText } from '../../src/redact/redact.ts';
import { survivor } from './make.ts';
import { DRAWS, draw, hasShared, hostileTexts } from './shared.ts';

/** The kinds with a label of their own. */
const LABELS: readonly [RegExp, string][] = [
  [/^aws-(akia|asia)/, 'AWS_KEY'],
  [/^gh-/, 'GH_TOKEN'],
  [/^gitlab-/, 'GL_TOKEN'],
  [/^(openai|anthropic)-/, 'API_KEY'],
  [/^slack-/, 'SLACK_TOKEN'],
  [/^google-/, 'GOOGLE_KEY'],
  [/^jwt$/, 'JWT'],
  [/^(pem-|pgp-private|gcp-service-account)/, 'PEM_BLOCK'],
];
const seeds = Array.from({ length: DRAWS }, (_, index) => index + 1);
const labelOf = (id: string) => LABELS.find(([pattern]) => pattern.test(id))?.[1];

describe.skipIf(!hasShared)('the shared cases', () => {
  it('hides every secret of the labelled kinds in every draw, plain and as JSON', async () => {
    const left: string[] = [];
    const kinds = new Set<string>();
    for (const seed of seeds) {
      for (const { id, value, text } of (await draw(seed)).secrets) {
        const label = labelOf(id);
        if (!label) continue;
        kinds.add(id);
        for (const form of [text, JSON.stringify({ text }), JSON.stringify(JSON.stringify({ text }))]) {
          const out = redactText(form);
          if (out.count !== 1 || survivor(value, out.text) || !out.text.includes(`[${label}]`))
            left.push(`${id} ${seed}`);
        }
      }
    }
    expect(left).toEqual([]);
    expect(kinds.size).toBe(31);
  });

  it('hides every kind in at least 95 of 100 draws, plain and as JSON, in objects too', async () => {
    const left = new Map<string, number>();
    const kinds = new Set<string>();
    for (const seed of seeds) {
      for (const { id, value, text } of (await draw(seed)).secrets) {
        kinds.add(id);
        const forms = [text, JSON.stringify({ text }), JSON.stringify(JSON.stringify({ text }))];
        const out = [...forms.map((form) => redactText(form).text), JSON.stringify(redactDeep({ list: [text] }).value)];
        if (out.some((clean) => survivor(value, clean))) left.set(id, (left.get(id) ?? 0) + 1);
      }
    }
    expect([...left].filter(([, times]) => times > DRAWS / 20)).toEqual([]);
    expect(kinds.size).toBe(70);
  });

  it('gives every look-alike back as it is', async () => {
    const touched: string[] = [];
    for (const seed of seeds) {
      for (const { id, text } of (await draw(seed)).benign) {
        const value = { text, list: [text, { [text]: text }] };
        if (redactText(text).text !== text || redactText(text).count !== 0 || redactDeep(value).value !== value)
          touched.push(id);
      }
    }
    expect(touched).toEqual([]);
  });

  it('is through with a megabyte of each hostile text, and again finds nothing', async () => {
    for (const text of Object.values(await hostileTexts())) {
      const once = redactText(text);
      expect(redactText(once.text).count).toBe(0);
    }
  });
});
