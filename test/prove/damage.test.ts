import { cpSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { homeOf } from '../../src/home/paths.ts';
import { conditionOf } from '../../src/repair/condition.ts';
import { rebuildArchive } from '../../src/repair/rebuild.ts';
import { Database } from '../../src/store/database.ts';
import { hash53 } from '../../src/transcript/index.ts';
import { Chance, times } from '../support/chance.ts';
import { temporaryFolder } from '../support/folders.ts';
import { differences, Portolan } from '../support/portolan.ts';
import { copyHome, ruin } from '../support/ruin.ts';

const SAMPLE = join(import.meta.dirname, '..', '..', 'sample');
const NOW = new Date('2026-11-30T12:00:00Z');

type Content = ReturnType<Portolan['content']>;

/** A history, what an undisturbed Portolan keeps of it, and copies of that: with all in the archive, or its end in the log. */
async function undisturbed() {
  const agents = temporaryFolder();
  cpSync(SAMPLE, agents, { recursive: true });
  const last = join(agents, '.claude', 'projects', '-home-dev-projects-tide-cache');
  const env = { home: agents, platform: 'linux', variables: {}, projects: [] } as const;
  const whole = new Portolan(env);
  await whole.index();
  const expected = whole.content();
  const logged = new Portolan(env);
  const away = join(agents, 'away');
  renameSync(last, away);
  await logged.index();
  // While somebody reads, what is written stays in the log.
  const reader = Database.forReading(logged.home.archive);
  reader.exec('BEGIN');
  reader.row('SELECT 1 FROM units');
  renameSync(away, last);
  await logged.index();
  onTestFinished(() => reader.close());
  const copied = (hasLog: boolean, hasFiles: boolean): Portolan => {
    const folder = temporaryFolder();
    const home = homeOf({ PORTOLAN_HOME: folder }, 'linux');
    mkdirSync(home.index);
    copyHome((hasLog ? logged : whole).home, home);
    return new Portolan({ ...env, home: hasFiles ? agents : temporaryFolder() }, folder);
  };
  return { expected, copied };
}

/** Every text that is shown of a session or a turn, but for what says that something is lost. */
function textsOf(content: Content): Set<string> {
  const texts = content.sessions.flatMap(({ key, title, cwd, path, turns }) => [
    ...[key, title, cwd, path].map((text) => `session ${text}`),
    ...turns.flatMap((turn) =>
      turn.parts
        .filter((part) => part.type !== 'notice' || part.kind !== 'damage')
        .map((part) => `${turn.id} ${part.type} ${hash53(JSON.stringify(part))}`),
    ),
  ]);
  return new Set(texts);
}

async function repaired(portolan: Portolan) {
  const { archive } = conditionOf(portolan.home).parts;
  if (archive.state !== 'whole') return rebuildArchive(portolan.home, NOW);
  return undefined;
}

describe('a home of which a file is damaged', () => {
  it('is told as what it is, and after a repair is as an undisturbed one, where the agents’ files are there', {
    timeout: 3_600_000,
  }, async () => {
    const { expected, copied } = await undisturbed();
    for (let seed = 1; seed <= times(4, 100); seed++) {
      const portolan = copied(seed % 3 === 0, true);
      const what = ruin(portolan.home, new Chance(seed));
      await repaired(portolan);
      await portolan.index();
      expect(differences(portolan.content(), expected), `${seed}: ${what}`).toEqual([]);
      const { parts, hurt } = conditionOf(portolan.home);
      const states = Object.values(parts).filter(({ state }) => state !== 'whole' && state !== 'missing');
      expect([states, hurt], `${seed}: ${what}`).toEqual([[], []]);
    }
  });

  it('shows nothing in error and names what is lost, where the agents’ files are gone', {
    timeout: 3_600_000,
  }, async () => {
    const { expected, copied } = await undisturbed();
    const all = textsOf(expected);
    const saved: string[] = [];
    for (let seed = 1; seed <= times(4, 100); seed++) {
      const portolan = copied(seed % 3 === 0, false);
      const what = ruin(portolan.home, new Chance(seed));
      const rebuilt = await repaired(portolan);
      await portolan.index();
      const content = portolan.content();
      const found = textsOf(content);
      const wrong = [...found].filter((text) => !all.has(text) && !text.startsWith('session undefined'));
      expect(wrong, `${seed}: ${what}`).toEqual([]);
      const { hurt } = conditionOf(portolan.home);
      const missing = new Set([...all].filter((text) => !found.has(text)).map((text) => text.split('#')[0]!));
      const named = new Set(hurt.map(({ id }) => id));
      saved.push(
        `${seed}: ${what}: ${found.size} of ${all.size} texts, ${named.size} sessions named, ${rebuilt ? 'rebuilt' : 'not rebuilt'}`,
      );
      const unnamed = [...missing].filter((id) => id.includes(':') && !named.has(id));
      expect(unnamed, `${seed}: ${what}`).toEqual([]);
    }
    if (process.env.PORTOLAN_PROVE === '1') console.log(saved.join('\n'));
  });
});
