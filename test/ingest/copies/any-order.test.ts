import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { turnsOf } from '../../../src/search/transcripts/transcript.ts';
import type { Turn } from '../../../src/transcript/index.ts';
import { Chance, times } from '../../support/chance.ts';
import { ClaudeHome } from '../../support/claude-home.ts';
import { jsonl, Script, SESSION, uuid } from '../../support/claude-records.ts';
import { Portolan, sessionsOf } from '../../support/portolan.ts';
import { ROLLOUT } from '../../support/rollout.ts';

/** How an agent writes one session: where copies of its file may lie, what stands above all turns, and each turn. */
interface Agent {
  readonly id: string;
  readonly places: readonly string[];
  readonly head: string;
  turn(n: number): string;
}

const said = (n: number) => `Paint plank ${n}.`;

const CLAUDE: Agent = {
  id: SESSION,
  places: [
    `.claude/projects/-home-dev-pier/${SESSION}.jsonl`,
    `.claude/projects/-home-dev-pier/${SESSION} (1).jsonl`,
    `.claude/projects/-home-dev-quay/${SESSION}.jsonl`,
    `.config/claude/projects/-home-dev-pier/${SESSION}.sync-conflict-20261120-101112-ABCDEFG.jsonl`,
  ],
  head: '',
  turn(n) {
    const script = new Script({}, `turn ${n}`);
    return jsonl([
      script.user(said(n)),
      script.answer(`Plank ${n} is painted.`, { id: `msg_${n}`, usage: { output_tokens: 7 } }),
    ]);
  },
};

const NAME = `rollout-2026-11-20T10-00-00-${ROLLOUT}`;
const line = (n: number, type: string, payload: unknown) => ({
  timestamp: new Date(Date.UTC(2026, 10, 20, 10, n)).toISOString(),
  type,
  payload,
});

const CODEX: Agent = {
  id: ROLLOUT,
  places: [
    `.codex/sessions/2026/11/20/${NAME}.jsonl`,
    `.codex/archived_sessions/${NAME}.jsonl`,
    `.codex/sessions/2026/11/20/${NAME} (1).jsonl`,
    `.codex/sessions/2026/11/20/${NAME}.sync-conflict-20261120-101112-ABCDEFG.jsonl`,
  ],
  head: jsonl([line(0, 'session_meta', { id: ROLLOUT, cwd: '/home/dev/pier', originator: 'codex_cli_rs' })]),
  turn(n) {
    return jsonl([
      line(n, 'turn_context', { turn_id: uuid(`turn ${n}`), cwd: '/home/dev/pier', model: 'gpt-5.5' }),
      line(n, 'event_msg', { type: 'user_message', message: said(n) }),
      line(n, 'event_msg', { type: 'agent_message', message: `Plank ${n} is painted.` }),
    ]);
  },
};

/** Files of one session that grow, are copied, renamed, deleted and cut, by chance; each is the numbers of its turns. */
class Files {
  readonly home = new ClaudeHome();
  readonly live = new Map<string, readonly number[]>();
  readonly log: string[] = [];
  private readonly agent: Agent;
  private readonly chance: Chance;
  private next = 1;

  constructor(agent: Agent, chance: Chance) {
    this.agent = agent;
    this.chance = chance;
    this.put(agent.places[0]!, [this.next++]);
  }

  at(place: string): string {
    return join(this.home.path, place);
  }

  step(): void {
    const place = this.chance.of([...this.live.keys()]);
    const turns = this.live.get(place)!;
    const free = this.agent.places.filter((one) => !this.live.has(one));
    const kind = this.chance.below(10);
    if (kind < 5) this.put(place, [...turns, this.next++]);
    else if (kind === 5 && free.length > 0) this.put(this.chance.of(free), turns);
    else if (kind === 6 && free.length > 0) this.move(place, this.chance.of(free));
    else if (kind === 7 && this.live.size > 1) this.remove(place);
    else if (kind === 8 && turns.length > 1) this.put(place, turns.slice(0, -1));
    // A copy takes up what another one has.
    else
      this.put(place, [
        ...turns,
        ...this.live.get(this.chance.of([...this.live.keys()]))!.filter((n) => !turns.includes(n)),
      ]);
  }

  private put(place: string, turns: readonly number[]): void {
    this.log.push(`${place.slice(-30)} = ${turns.join(' ')}`);
    this.live.set(place, turns);
    const content = this.agent.head + turns.map((n) => this.agent.turn(n)).join('');
    const path = this.at(place);
    if (existsSync(path) && readFileSync(path, 'utf8') === content) return;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    this.home.touch(path);
  }

  private move(place: string, to: string): void {
    this.log.push(`${place.slice(-30)} -> ${to.slice(-30)}`);
    mkdirSync(dirname(this.at(to)), { recursive: true });
    renameSync(this.at(place), this.at(to));
    this.live.set(to, this.live.get(place)!);
    this.live.delete(place);
  }

  private remove(place: string): void {
    this.log.push(`${place.slice(-30)} deleted`);
    rmSync(this.at(place));
    this.live.delete(place);
  }

  /** The numbers of the turns that some file holds. */
  held(): Set<number> {
    return new Set([...this.live.values()].flat());
  }
}

const isDefined = <T>(value: T | undefined): value is T => value !== undefined;

/** What is shown of the session, and that it is one. */
function shown(portolan: Portolan, agent: Agent) {
  const stores = portolan.read();
  const listed = sessionsOf(stores).filter((session) => !session.hidden);
  expect(listed.map((session) => session.nativeId)).toEqual([agent.id]);
  const session = listed[0]!;
  const turns = turnsOf(stores, session);
  const numbers = (some: readonly Turn[]) =>
    some
      .map((turn) => /plank (\d+)/.exec(turn.prompt ?? '')?.[1])
      .filter(isDefined)
      .map(Number)
      .sort((a, b) => a - b);
  return {
    path: session.path.slice(portolan.env.home.length + 1),
    all: numbers(turns),
    superseded: numbers(turns.filter((turn) => turn.superseded)),
    answers: turns.flatMap((turn) => turn.parts.filter((part) => part.type === 'text' && part.role === 'assistant'))
      .length,
    output: session.tokens['claude-opus-5-5']?.output,
    found: stores.lexical.documentFrequency('planks') + stores.lexical.documentFrequency('plank'),
  };
}

const sorted = (numbers: Iterable<number>) => [...numbers].sort((a, b) => a - b);

describe.each([
  ['Claude Code', CLAUDE],
  ['Codex', CODEX],
] as const)('files of one session of %s', (_, agent) => {
  it.each(Array.from({ length: times(4, 120) }, (__, seed) => seed + 1))(
    'are one session of all that any of them ever said, whatever happens to them: %i',
    { timeout: 120_000 },
    async (seed) => {
      const chance = new Chance(seed);
      const files = new Files(agent, chance);
      const portolan = new Portolan(files.home.env());
      const ever = new Set<number>();
      for (let round = 0; round < 8; round++) {
        for (let n = chance.below(3); n >= 0; n--) files.step();
        for (const n of files.held()) ever.add(n);
        await portolan.index();
        const now = shown(portolan, agent);
        const lost = sorted(ever).filter((n) => !files.held().has(n));
        expect({ ...now, log: files.log }).toMatchObject({ all: sorted(ever), superseded: lost, answers: ever.size });
        expect([...files.live.keys()]).toContain(now.path);
        if (agent === CLAUDE) expect(now.output).toBe(7 * ever.size);
      }
      const fresh = new Portolan(files.home.env());
      await fresh.index();
      const held = sorted(files.held());
      const anew = shown(fresh, agent);
      expect(anew).toMatchObject({ all: held, superseded: [], answers: held.length });
      expect(anew.path).toBe(shown(portolan, agent).path);
    },
  );
});
