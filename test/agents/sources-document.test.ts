import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as claude from '../../src/agents/claude-code/records.ts';
import { RESULT_FIELDS } from '../../src/agents/claude-code/results.ts';
import { INJECTED_ELEMENTS, INJECTED_ORIGINS } from '../../src/agents/codex/injected.ts';
import * as codex from '../../src/agents/codex/records.ts';

const DOCUMENT = readFileSync(join(import.meta.dirname, '../../docs/sources.md'), 'utf8');
const [CLAUDE = '', CODEX = ''] = DOCUMENT.split('## Codex');

/** What of a list the document does not name, as code. */
const missing = (text: string, names: Iterable<string>) => [...names].filter((name) => !text.includes(`\`${name}\``));

describe('the document of sources', () => {
  it('names each type and field of Claude Code that is known and not shown', () => {
    expect(
      missing(CLAUDE, [
        ...claude.BOOKKEEPING,
        ...claude.QUIET_ATTACHMENTS,
        ...[...claude.QUIET_SYSTEM].map((type) => `system/${type}`),
        ...[...claude.QUIET_PROGRESS].map((type) => `progress/${type}`),
        ...[...claude.QUIET_BLOCKS].map((type) => `assistant ${type}`),
        ...RESULT_FIELDS,
      ]),
    ).toEqual([]);
  });

  it('names each type and field of Codex that is known and not shown, and what is injected', () => {
    const fields = Object.entries(codex.HIDDEN_FIELDS).flatMap(([type, names]) =>
      names.map((name) => `${type} ${name}`),
    );
    expect(
      missing(CODEX, [
        ...codex.QUIET_RECORDS,
        ...codex.QUIET_ITEMS,
        ...codex.QUIET_EVENTS,
        ...codex.QUIET_COMPLETED,
        ...fields,
        ...Object.keys(INJECTED_ELEMENTS).map((name) => `injected/${name}`),
        ...[...INJECTED_ORIGINS].map((name) => `injected/${name}`),
      ]),
    ).toEqual([]);
  });
});
