import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redactText } from '../../src/redact/redact.ts';
import { homes, prepare } from '../agents/cline/evidence.ts';
import { type ClineSession, type ClineTask, extensionTasks, programSessions } from '../oracle/cline.ts';
import { compared, type HeldHome, holdHome } from '../oracle/evidence.ts';
import { faultsOf, recordedSessions, unfound } from '../oracle/expected.ts';
import { SHARED } from '../oracle/product.ts';

/** One was broken off after its first request and begun anew: what was to be said in it stands in the other one. */
const RECORDED = SHARED === undefined ? [] : recordedSessions('cline').filter(({ id }) => id !== '1796029673358_njsk1');

describe.skipIf(SHARED === undefined)('Cline’s program in live/cline', () => {
  let held: HeldHome;
  let kept: ClineSession[];
  beforeAll(async () => {
    held = await holdHome('cline', homes[0]);
    kept = programSessions(held.home);
  });
  afterAll(() => held?.remove());

  it('is read whole, and nothing in the agent’s folders changed', () => {
    expect(held.report).toMatchObject({ units: 9, read: 9, sessions: 9, failed: [], unknown_records: {} });
    expect(held.changed).toEqual([]);
    expect(kept.reduce((sum, { prompts }) => sum + prompts, 0)).toBe(13);
  });

  it('shows every text, argument and output in order, once', () => {
    for (const { id, said } of kept) {
      const { expected, found } = compared(said, held.shown.get(id)?.turns ?? []);
      expect({ id, found }).toEqual({ id, found: expected });
    }
  });

  it('has the tokens of each request', () => {
    for (const { id, tokens } of kept) {
      const { input, output, cache_read: cacheRead } = held.shown.get(id)!.session.tokens;
      expect({ id, input, output, cacheRead }).toEqual({ id, ...tokens });
    }
  });

  it('links the sub-agent to the session that started it', () => {
    const child = [...held.shown.values()].find(({ session }) => session.native_id.includes('__agent_'))!;
    expect(child.session.parent).toMatchObject({ id: 'cline:1796029692789_4ycro', relation: 'subagent' });
  });

  it('shows what was said: every prompt, call and planted phrase', () => {
    expect(faultsOf(held, RECORDED)).toEqual([
      // The program had a search of its own for it.
      expect.stringMatching(/^1796029692789_4ycro: no call of run_commands with .*grep -rnE 'bus.on'/),
    ]);
  });

  it('is found by what was said in it, at its turn, and taken up by the program’s own command', async () => {
    // It stands in the session that was broken off too, which comes first.
    expect(await unfound(held, RECORDED)).toEqual(['1796029970503_pcj6w: “hazel-osprey-ferry” in prompt']);
    const id = '1796029970503_pcj6w';
    expect(await held.product.resume(`cline:${id}`)).toMatchObject({ argv: ['cline', '--id', id, '-i'] });
  });
});

/** The calls of a task, by what the screen calls them where that is all there is. */
const CALLS: Readonly<Record<string, string>> = {
  readFile: 'read_file',
  newFileCreated: 'write_to_file',
  editedExistingFile: 'replace_in_file',
  searchFiles: 'search_files',
  listFilesTopLevel: 'list_files',
  listFilesRecursive: 'list_files',
  command: 'execute_command',
};

describe.skipIf(SHARED === undefined)('Cline’s extension in homes/cline', () => {
  let held: HeldHome;
  let kept: ClineTask[];
  beforeAll(async () => {
    held = await holdHome('cline', homes[1], { prepare });
    kept = extensionTasks(held.home);
  });
  afterAll(() => held?.remove());

  it('is read whole, and nothing in the agent’s folders changed', () => {
    expect(held.report).toMatchObject({ units: 4, read: 4, sessions: 4, failed: [], unknown_records: {} });
    expect(held.changed).toEqual([]);
  });

  it('shows every text, argument and output, in order', () => {
    for (const { id, texts } of kept) {
      const shown = held.shown
        .get(id)!
        .turns.flatMap(({ parts }) =>
          parts.flatMap((part) =>
            part.type === 'tool_call' ? [JSON.stringify(part.input), part.output ?? ''] : [part.text ?? ''],
          ),
        );
      const all = shown.map((one) => one.trim());
      const missing = texts.filter((text) => {
        const clean = redactText(text).text;
        return !all.some((one) => one === clean || one.includes(clean) || (one.length > 1000 && clean.startsWith(one)));
      });
      expect({ id, missing }).toEqual({ id, missing: [] });
    }
  });

  it('has every call but those by which the agent speaks', () => {
    for (const { id, calls } of kept) {
      const expected = new Map<string, number>();
      for (const [name, count] of Object.entries(calls)) {
        const called = CALLS[name] ?? name;
        expected.set(called, (expected.get(called) ?? 0) + count);
      }
      const found = new Map<string, number>();
      for (const { parts } of held.shown.get(id)!.turns)
        for (const part of parts)
          if (part.type === 'tool_call') found.set(part.name!, (found.get(part.name!) ?? 0) + 1);
      expect({ id, found: Object.fromEntries(found) }).toEqual({ id, found: Object.fromEntries(expected) });
    }
  });

  it('has the tokens that the screen or the answers tell', () => {
    for (const { id, tokens } of kept) {
      const { input, output, cache_read: cacheRead } = held.shown.get(id)!.session.tokens;
      expect({ id, input, output, cacheRead }).toEqual({ id, ...tokens });
    }
  });

  it('knows the folder and the time of what was said, which the environment tells', () => {
    const { session, turns } = held.shown.get('1769053680585')!;
    expect(session).toMatchObject({ cwd: '/workspaces/Online-Card-Architecture' });
    expect(JSON.stringify(turns[0])).toContain('"started_at":"2026-01-22T03:48:00.000Z"');
  });

  it('cannot be taken up by a command: the extension has none', async () => {
    expect(await held.product.resume('cline:1769053680585')).toMatchObject({ error: { code: 'cannot_resume' } });
  });
});
