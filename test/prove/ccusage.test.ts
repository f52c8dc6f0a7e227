import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ingest } from '../../src/ingest/run.ts';
import { addTokens, NO_TOKENS } from '../../src/transcript/index.ts';
import { SHARED, shared } from '../oracle/product.ts';
import { times } from '../support/chance.ts';
import { temporaryFolder } from '../support/folders.ts';
import { Portolan, sessionsOf } from '../support/portolan.ts';

/** Another program that counts what agents spend. */
const CCUSAGE = 'ccusage@20.0.24';

interface Spent {
  readonly uncached: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
}

/** What ccusage says was spent by an agent below a home, which has the history alone. */
function ccusageOf(tools: string, home: string, agent: 'claude' | 'codex'): Spent {
  const said = execFileSync(join(tools, 'node_modules', '.bin', 'ccusage'), [agent, 'daily', '--json', '--offline'], {
    env: { ...process.env, HOME: home, CLAUDE_CONFIG_DIR: join(home, '.claude'), CODEX_HOME: join(home, '.codex') },
    encoding: 'utf8',
    maxBuffer: 64 << 20,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { totals } = JSON.parse(said);
  return {
    uncached: totals.inputTokens,
    cacheRead: totals.cacheReadTokens,
    cacheWrite: totals.cacheCreationTokens,
    output: totals.outputTokens,
  };
}

it.skipIf(SHARED === undefined)(
  'our totals, ccusage’s and the generator’s are the same',
  { timeout: 900_000 },
  async () => {
    const tools = temporaryFolder();
    execFileSync('npm', ['install', '--prefix', tools, '--no-save', '--no-audit', '--no-fund', CCUSAGE], {
      cwd: tools,
      stdio: 'pipe',
    });
    const home = temporaryFolder();
    const size = String(times(6, 200));
    execFileSync(process.execPath, [shared('bench', 'gen.mjs'), '--home', home, '--mb', size, '--seed', '1']);
    const truth = JSON.parse(readFileSync(join(home, 'truth.json'), 'utf8'));

    const portolan = new Portolan({ home, platform: 'linux', variables: {}, projects: [] });
    const ours = await portolan.write(async (stores) => {
      await ingest(stores, portolan.env);
      const spent = (source: string): Spent => {
        const models = sessionsOf(stores).flatMap((one) => (one.source === source ? Object.values(one.tokens) : []));
        const all = models.reduce(addTokens, NO_TOKENS);
        return {
          uncached: all.input,
          cacheRead: all.cacheRead,
          cacheWrite: all.cacheWrite5m + all.cacheWrite1h,
          output: all.output,
        };
      };
      return { claude: spent('claude-code'), codex: spent('codex') };
    });

    expect(ours).toEqual({
      claude: {
        uncached: truth.claude.input,
        cacheRead: truth.claude.cacheRead,
        cacheWrite: truth.claude.cacheCreate,
        output: truth.claude.output,
      },
      codex: {
        uncached: truth.codex.input - truth.codex.cached,
        cacheRead: truth.codex.cached,
        cacheWrite: 0,
        output: truth.codex.output,
      },
    });
    expect({ claude: ccusageOf(tools, home, 'claude'), codex: ccusageOf(tools, home, 'codex') }).toEqual(ours);
  },
);
