import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { limitOf } from '../../../src/agents/codex/limits.ts';
import { ingest } from '../../../src/ingest/run.ts';
import { SHARED } from '../../oracle/product.ts';
import { filesBelow } from '../../support/folders.ts';
import { Portolan } from '../../support/portolan.ts';
import { read, Script } from './script.ts';

const AT = Date.parse('2026-11-21T12:00:00Z');

describe('limits', () => {
  it('are understood as all versions wrote them', () => {
    const primary = { usedPercent: 12.5, windowMinutes: 300, resetsAt: AT + 60_000 };
    const today = { used_percent: 12.5, window_minutes: 300, resets_at: AT / 1000 + 60 };
    expect(limitOf({ primary: today, secondary: null, plan_type: 'plus' }, AT)).toEqual({
      at: AT,
      plan: 'plus',
      primary,
    });
    const before = { used_percent: 12.5, window_minutes: 300, resets_in_seconds: 60 };
    expect(limitOf({ primary: before, secondary: before }, AT)).toEqual({ at: AT, primary, secondary: primary });
    const flat = { primary_used_percent: 1, primary_window_minutes: 299, secondary_used_percent: 2 };
    expect(limitOf(flat, AT)).toEqual({
      at: AT,
      primary: { usedPercent: 1, windowMinutes: 299 },
      secondary: { usedPercent: 2 },
    });
  });

  it('are not renewed at a time that cannot be', () => {
    for (const renewal of [{ resets_at: 253_402_300_799 }, { resets_in_seconds: 1e12 }, { resets_at: 0 }])
      expect(limitOf({ primary: { used_percent: 1, ...renewal } }, AT)).toEqual({
        at: AT,
        primary: { usedPercent: 1 },
      });
  });

  it('that say nothing are none', () => {
    for (const said of [null, undefined, 7, {}, { primary: null, secondary: null, plan_type: null }])
      expect(limitOf(said, AT)).toBeUndefined();
    expect(limitOf({ primary: { used_percent: 1 } }, undefined)).toBeUndefined();
  });

  it('are told when they change, once a file', async () => {
    const said = (used_percent: number) => ({
      info: null,
      rate_limits: { primary: { used_percent, window_minutes: 300, resets_in_seconds: 900 }, plan_type: 'plus' },
    });
    const script = new Script().meta().asked('Paint.');
    for (const used of [3, 3, 4]) script.event('token_count', said(used));
    const found = (await read(script)).of('limit').map((event) => event.limit.primary?.usedPercent);
    expect(found).toEqual([3, 4]);
  });
});

describe.skipIf(SHARED === undefined)('limits of recorded homes', () => {
  it('are kept with their sessions, the last one as the file has it', async () => {
    const home = join(SHARED ?? '', 'corpus', 'homes', 'codex');
    const portolan = new Portolan({ home, platform: 'linux', variables: {}, projects: [] });
    let compared = 0;
    await portolan.write(async (stores) => {
      await ingest(stores, portolan.env);
      const last = stores.archive.db.rows<{ path: string; used: number | null; resets: number | null }>(
        `SELECT units.path, primary_used AS used, primary_resets AS resets FROM limits
           JOIN sessions ON sessions.id = limits.session JOIN units ON units.id = sessions.unit
          WHERE limits.at = (SELECT max(at) FROM limits AS later WHERE later.session = limits.session)`,
      );
      const kept = new Map(last.map((row) => [row.path, row]));
      for (const path of filesBelow(join(home, '.codex', 'sessions'))) {
        if (!path.endsWith('.jsonl')) continue;
        const said = readFileSync(path, 'utf8').match(/"used_percent":[\d.]+,"window_minutes":\d+,"resets_at":\d+/g);
        if (!said || said.length % 2 !== 0) continue;
        // Each record tells two windows, the first one first.
        const [, used, resets] = /:([\d.]+),.*:(\d+)$/.exec(said.at(-2)!)!;
        expect(kept.get(path)?.used, path).toBe(Number(used));
        expect(Math.abs(kept.get(path)!.resets! - Number(resets) * 1000), path).toBeLessThanOrEqual(5000);
        compared++;
      }
    });
    expect(compared).toBeGreaterThan(10);
  });
});
