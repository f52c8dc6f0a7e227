import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WITH_MATRIX, withMatrix } from '../../docs/matrix.ts';
import { SOURCES } from '../../src/agents/registry.ts';

const DOCS = join(import.meta.dirname, '..', '..', 'docs');
/** Programs that are told of in another one's document. */
const TOLD_IN: Readonly<Record<string, string>> = {
  'kilo-cli': 'opencode',
  'claude-code': '../sources',
  codex: '../sources',
};

describe('the documents', () => {
  it.each(WITH_MATRIX.map((path) => [basename(path), path]))(
    '%s has the matrix of the sources as they are',
    (_, path) => {
      const document = readFileSync(path, 'utf8');
      expect(document, 'npm run matrix makes it').toBe(withMatrix(document));
    },
  );

  it('tell of every source, and sources.md leads there', () => {
    const index = readFileSync(join(DOCS, 'sources.md'), 'utf8');
    for (const { id, label } of SOURCES) {
      const page = TOLD_IN[id] ?? id;
      expect(existsSync(join(DOCS, 'sources', `${page}.md`)), id).toBe(true);
      expect(index).toContain(page.startsWith('..') ? `## ${label}` : `(sources/${page}.md)`);
    }
  });
});
