import { readFileSync, rmSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { rewriteUnit, unitsOtherThan } from '../../../src/archive/rewrite.ts';
import { refresh } from '../../../src/ingest/refresh.ts';
import { isIndexUnclean } from '../../../src/ingest/writable-stores.ts';
import { type Redaction, redactDeep, redactionStamp, redactText, redactWith } from '../../../src/redact/redact.ts';
import { Maker, survivor } from '../../redact/make.ts';
import { ClaudeHome } from '../../support/claude-home.ts';
import { Script, SESSION } from '../../support/claude-records.ts';
import { filesBelow } from '../../support/folders.ts';
import { Portolan, sessionsOf } from '../../support/portolan.ts';

const NOTHING: Redaction = { values: [], patterns: [], allow: [] };
const maker = new Maker(424242);
const body = maker.text(36);
const token = `gh${'p'}_${body}`;

afterEach(() => redactWith(NOTHING));

/** A redactor that lets the token through, as an older one might. */
const blind = () => redactWith({ ...NOTHING, allow: [token] });

/** A conversation that holds the token wherever one is kept. */
function conversation(name: string): readonly unknown[] {
  const script = new Script({ cwd: `/home/dev/${token}`, gitBranch: `try-${token}` }, name);
  return [
    // The beginning of a prompt is kept apart: here it ends inside the token.
    script.user(`${'planks and nails '.repeat(9)}${token} and more`),
    script.answer(`It is ${token}.`),
    script.call('toolu_1', 'Bash', { command: `echo ${token}` }),
    script.result('toolu_1', `${token}\n${'seaweed '.repeat(20_000)}`),
    script.user(`Again ${token}`),
    { type: 'summary', summary: `About ${token}`, leafUuid: script.leaf },
    { type: 'custom-title', customTitle: `The ${token}`, sessionId: SESSION },
  ];
}

/** What is left of the token in any file of a home, and in what is kept compressed. */
function leftIn(portolan: Portolan): string[] {
  const files = filesBelow(portolan.home.path).filter((path) => survivor(body, readFileSync(path, 'latin1')));
  return [...files, ...(survivor(body, JSON.stringify(portolan.content())) ? ['content'] : [])];
}

/** Indexes as the program does: the index is made anew where it is of an older redactor. */
async function indexed(portolan: Portolan): Promise<void> {
  await portolan.index();
  if (isIndexUnclean(portolan.home)) await portolan.write(() => undefined);
}

describe('an archive that an older redactor left', () => {
  it('is cleaned, with its index, also of sessions whose file is gone', async () => {
    const home = new ClaudeHome();
    const gone = home.write(conversation('gone'), 'gone');
    home.write(conversation('here'), 'here');
    const portolan = new Portolan(home.env());
    blind();
    await indexed(portolan);
    expect(leftIn(portolan).length).toBeGreaterThan(1);
    rmSync(gone);
    redactWith(NOTHING);
    await indexed(portolan);
    expect(leftIn(portolan)).toEqual([]);
    const [first] = portolan.content().sessions.filter((session) => session.gone);
    expect(first!.turns[0]!.prompt).toContain('[GH_TOKEN] and more');
    expect(first!.cwd).toBe('/home/dev/[GH_TOKEN]');
    expect(first!.title).toBe('The [GH_TOKEN]');
  });

  it('is as one that was made by the redactor of today', async () => {
    const home = new ClaudeHome();
    const path = home.write(conversation('one'), 'one');
    const cleaned = new Portolan(home.env());
    blind();
    await indexed(cleaned);
    const fresh = new Portolan(home.env());
    redactWith(NOTHING);
    await indexed(fresh);
    rmSync(path);
    await indexed(cleaned);
    await indexed(fresh);
    expect(cleaned.content()).toEqual(fresh.content());
  });

  it('is mended where it holds halves of characters', async () => {
    const home = new ClaudeHome();
    const script = new Script({ gitBranch: 'try-HALF' });
    const path = home.write([
      script.user('The HALF of a ship.'),
      script.call('toolu_1', 'Bash', { command: 'echo HALF' }),
      script.result('toolu_1', 'HALF'),
      { type: 'custom-title', customTitle: 'A HALF', sessionId: SESSION },
    ]);
    const portolan = new Portolan(home.env());
    await indexed(portolan);
    rmSync(path);
    await indexed(portolan);
    await portolan.write((stores) => {
      const torn = (text: string) => text.replaceAll('HALF', '\ud83d');
      const deep = <T>(value: T): T => JSON.parse(torn(JSON.stringify(value)));
      const older = redactionStamp() - 1;
      stores.begin();
      for (const unit of unitsOtherThan(stores.archive, older)) {
        const body = <T>(value: T) => ({ value: deep(value), count: 1 });
        for (const _ of rewriteUnit(stores.archive, unit, older, {
          text: torn,
          path: torn,
          deep,
          body,
          preview: torn,
        }));
      }
      stores.keeper.setState('redactor', older);
      stores.commit();
    });
    const isTorn = () => !JSON.stringify(portolan.content()).replaceAll('\\ud83d', '\ud83d').isWellFormed();
    expect(isTorn()).toBe(true);
    await indexed(portolan);
    expect(isTorn()).toBe(false);
    const [session] = portolan.content().sessions;
    expect(session).toMatchObject({ title: 'A \ufffd', branch: 'try-\ufffd' });
    expect(session!.turns[0]).toMatchObject({ prompt: 'The \ufffd of a ship.', parts: [{}, { output: '\ufffd' }] });
  });

  it('is cleaned again when the user adds a pattern', async () => {
    const home = new ClaudeHome();
    const script = new Script();
    const path = home.write([script.user('The berth is QUAY-1234567.'), script.answer('QUAY-1234567 it is.')]);
    const portolan = new Portolan(home.env());
    await indexed(portolan);
    rmSync(path);
    redactWith({ ...NOTHING, patterns: ['QUAY-\\d{7}'] });
    await indexed(portolan);
    expect(portolan.content().sessions[0]!.turns[0]!.prompt).toBe('The berth is [SECRET].');
    expect(JSON.stringify(portolan.content().words)).not.toContain('1234567');
  });

  it('keeps its shape where a pattern stands in our own words too', async () => {
    const home = new ClaudeHome();
    const script = new Script();
    const path = home.write([
      script.user('A compaction of text.'),
      script.call('toolu_1', 'Bash', { command: 'text' }),
    ]);
    const portolan = new Portolan(home.env());
    await indexed(portolan);
    rmSync(path);
    redactWith({ ...NOTHING, patterns: ['text|shell|tool_call|compaction'] });
    await indexed(portolan);
    const [first] = portolan.content().sessions;
    expect(first!.turns[0]!.parts).toMatchObject([
      { type: 'text', role: 'user', text: 'A [SECRET] of [SECRET].' },
      { type: 'tool_call', kind: 'shell', input: { command: '[SECRET]' } },
    ]);
  });

  it('is gone on with where a cleaning was broken off', async () => {
    const home = new ClaudeHome();
    const gone = home.write(conversation('gone'), 'gone');
    const portolan = new Portolan(home.env());
    blind();
    await indexed(portolan);
    rmSync(gone);
    await indexed(portolan);
    redactWith(NOTHING);
    await portolan.write((stores) => {
      stores.begin();
      stores.keeper.setState('redactor', 0);
      const [unit] = unitsOtherThan(stores.archive, redactionStamp());
      const writing = {
        text: (text: string) => redactText(text).text,
        path: (path: string) => redactText(path).text,
        deep: <T>(value: T) => redactDeep(value).value,
        body: redactDeep,
        preview: (text: string) => redactText(text).text.slice(0, 160),
      };
      // One chunk, and then the power goes.
      rewriteUnit(stores.archive, unit!, redactionStamp(), writing).next();
      stores.commit();
    });
    expect(isIndexUnclean(portolan.home)).toBe(false);
    await indexed(portolan);
    expect(leftIn(portolan)).toEqual([]);
    expect(isIndexUnclean(portolan.home)).toBe(false);
  });

  it('loses what a cut left of a secret', async () => {
    const home = new ClaudeHome();
    const script = new Script();
    const output = `${'x'.repeat(256 * 1024 - 21)} ${token} ${'y'.repeat(100)}`;
    const path = home.write([script.call('toolu_1', 'Bash', {}), script.result('toolu_1', output)]);
    const portolan = new Portolan(home.env());
    blind();
    await indexed(portolan);
    expect(JSON.stringify(portolan.content())).toContain(body.slice(0, 12));
    rmSync(path);
    redactWith(NOTHING);
    await indexed(portolan);
    expect(leftIn(portolan)).toEqual([]);
  });

  it('is left alone where nothing changed', async () => {
    const home = new ClaudeHome();
    home.write(conversation('one'), 'one');
    const portolan = new Portolan(home.env());
    await indexed(portolan);
    const changes = () => portolan.read().archive.changes();
    const before = changes();
    await indexed(portolan);
    expect(changes()).toBe(before);
    expect(sessionsOf(portolan.read())).toHaveLength(1);
  });
});

describe('a value that is known', () => {
  it('is hidden by the workers too, and written nowhere', async () => {
    const home = new ClaudeHome();
    const value = 'harbour-master-of-quay-9';
    const script = new Script();
    const long = 'the tide comes and goes '.repeat(3000);
    home.write(Array.from({ length: 40 }, (_, i) => script.user(`${long} ${i} ${value}`)));
    const portolan = new Portolan(home.env());
    redactWith({ ...NOTHING, values: [value] });
    await indexed(portolan);
    expect(JSON.stringify(portolan.content())).not.toContain(value);
    expect(JSON.stringify(portolan.content())).toContain('[SECRET]');
    for (const path of filesBelow(portolan.home.path)) expect(readFileSync(path, 'latin1')).not.toContain(value);
  });
});

describe('a refresh before an answer', () => {
  it('reads nothing while what is kept is of another redactor', async () => {
    const home = new ClaudeHome();
    const script = new Script();
    home.write([script.user('The tide turns.')]);
    const portolan = new Portolan(home.env());
    await indexed(portolan);
    home.append([script.answer('It does.')]);
    redactWith({ ...NOTHING, patterns: ['QUAY-\\d{7}'] });
    expect(await refresh(portolan.home, home.env(), 1000)).toMatchObject({ state: 'elsewhere' });
    await indexed(portolan);
    home.append([script.answer('It did.')]);
    expect(await refresh(portolan.home, home.env(), 1000)).toMatchObject({ state: 'done', read: 1 });
  });
});
