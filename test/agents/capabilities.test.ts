import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SOURCES, sourceOf } from '../../src/agents/registry.ts';
import { CAPABILITIES, type Capability } from '../../src/agents/source.ts';
import type { CatalogSession } from '../../src/catalog/listed.ts';
import type { Stores } from '../../src/holdings/stores.ts';
import { ingest } from '../../src/ingest/run.ts';
import { resumptionOf } from '../../src/search/transcripts/resume.ts';
import { sessionOf, turnsOf } from '../../src/search/transcripts/transcript.ts';
import type { Session, ToolCall, Turn } from '../../src/transcript/index.ts';
import { SHARED } from '../oracle/product.ts';
import { allEvidence, copyOfEvidence, hasEvidence } from '../support/evidence.ts';
import { Portolan, sessionsOf } from '../support/portolan.ts';

interface Shown {
  readonly stores: Stores;
  readonly row: CatalogSession;
  readonly session: Session;
  readonly turns: readonly Turn[];
}

const callsOf = ({ turns }: Shown): ToolCall[] =>
  turns.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool_call'));

/** What a session must show for its agent to have a capability. */
const SHOWS: Readonly<Record<Capability, (shown: Shown) => boolean>> = {
  titles: ({ session }) => session.titleFrom === 'user' || session.titleFrom === 'agent',
  project: ({ session }) => session.cwd !== undefined,
  times: ({ turns }) => turns.some((turn) => turn.startedAt !== undefined),
  thinking: ({ turns }) => turns.some(({ parts }) => parts.some((part) => part.type === 'thinking')),
  tools: (shown) => callsOf(shown).some(({ output, callId }) => output !== undefined && callId !== undefined),
  errors: (shown) => callsOf(shown).some(({ isError }) => isError),
  files: (shown) => callsOf(shown).some(({ paths }) => paths.length > 0),
  models: ({ session }) => session.models.length > 0,
  tokens: ({ session }) => session.tokens.output > 0,
  subagents: ({ session }) => session.parent?.relation === 'subagent',
  forks: ({ session }) => session.parent !== undefined && session.parent.relation !== 'subagent',
  rewinds: ({ turns }) => turns.some(({ rewound }) => rewound),
  resume: ({ stores, row }) => resumptionOf(stores, row).can,
};

const EVIDENCE = await allEvidence();

describe.skipIf(SHARED === undefined)('what a source claims is seen in what its agent wrote:', () => {
  it.each(EVIDENCE)('$source', { timeout: 300_000 }, async ({ source, homes, ...layout }) => {
    const seen = new Set<Capability>();
    for (const names of homes) {
      const home = copyOfEvidence(names, layout);
      const portolan = new Portolan({ home, platform: 'linux', variables: {}, projects: [] });
      await portolan.write(async (stores) => {
        await ingest(stores, portolan.env);
        for (const row of sessionsOf(stores)) {
          if (row.source !== source) continue;
          const shown = { stores, row, session: sessionOf(stores, row, Date.now()), turns: turnsOf(stores, row) };
          for (const capability of Object.keys(CAPABILITIES) as Capability[])
            if (!seen.has(capability) && SHOWS[capability](shown)) seen.add(capability);
        }
      });
      rmSync(home, { recursive: true, force: true });
    }
    const claimed = sourceOf(source)?.capabilities ?? [];
    expect([...seen].sort()).toEqual([...claimed].sort());
  });

  it('each has evidence, or says that it is unverified', () => {
    const without = SOURCES.filter(({ id, unverified }) => unverified === undefined && !hasEvidence(id));
    expect(without.map(({ id }) => id)).toEqual([]);
  });
});
