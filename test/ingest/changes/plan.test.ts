import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { marksOf } from '../../../src/agents/jsonl/marks.ts';
import type { Checkpoint, Unit } from '../../../src/agents/source.ts';
import type { UnitRow } from '../../../src/archive/rows.ts';
import { KnownUnits } from '../../../src/ingest/changes/known-units.ts';
import { planOf as plan } from '../../../src/ingest/changes/plan.ts';
import { temporaryFolder, writeAt } from '../../support/folders.ts';
import { unitAt } from '../../support/reading.ts';

const READER = 7;
const letters = (length: number, first = 'a') => first + 'abcdefghij'.repeat(length).slice(1, length);
const file = (content: string, name = 'one.jsonl', folder = temporaryFolder()) => writeAt(join(folder, name), content);

type Read = UnitRow & { readonly checkpoint?: Checkpoint };

const planOf = (units: readonly Unit[], rows: readonly Read[], reader: number) =>
  plan(units, new KnownUnits(rows, new Map()), reader, ({ id }) => rows.find((row) => row.id === id)?.checkpoint);

/** A unit as it was read up to an offset. */
const known = (unit: Unit, offset = unit.size, more: Partial<Read> = {}): Read => ({
  ...unit,
  id: 1,
  reader: READER,
  checkpoint: { offset, line: 1, state: null, ...marksOf(unit.path, offset) },
  readTo: offset,
  readLines: 1,
  failures: [],
  gone: false,
  ...more,
});
const later = (unit: Unit): Unit => ({ ...unit, modified: unit.modified + 1000 });
const steps = (units: readonly Unit[], rows: readonly Read[]) =>
  planOf(units, rows, READER).steps.map((step) => [step.do, ('unit' in step ? step.unit : step.known).path]);

describe('a unit', () => {
  it('is read where it is new', () => {
    const unit = unitAt(file('{}\n'));
    expect(planOf([unit], [], READER)).toEqual({ steps: [{ do: 'read', unit }], unchanged: 0 });
  });

  it('is left alone where size, time and identity are the same', () => {
    const unit = unitAt(file('{}\n'));
    expect(planOf([unit], [known(unit)], READER)).toEqual({ steps: [], unchanged: 1 });
  });

  it('is read on where it grew', () => {
    const path = file(letters(10_000));
    const row = known(unitAt(path));
    writeAt(path, `${letters(10_000)}more`);
    const unit = later(unitAt(path));
    expect(planOf([unit], [row], READER).steps).toEqual([{ do: 'append', unit, known: row, from: row.checkpoint }]);
  });

  it('is read on from behind the last whole line, where that was torn', () => {
    const path = file(`${letters(5000)}torn`);
    const row = known(unitAt(path), 5000);
    writeAt(path, `${letters(5000)}torn, and the rest`);
    expect(planOf([later(unitAt(path))], [row], READER).steps).toMatchObject([
      { do: 'append', from: { offset: 5000 } },
    ]);
  });

  it.each([
    ['it was written anew with the same size', letters(10_000, 'b')],
    ['it was written anew, longer', letters(12_000, 'b')],
    ['it is shorter now', letters(9000)],
    ['its last bytes before the offset changed', `${letters(9990)}##########`],
    ['its last bytes changed, and it grew', `${letters(9990)}##########and more`],
  ])('is read anew where %s', (_, content) => {
    const path = file(letters(10_000));
    const row = known(unitAt(path));
    writeAt(path, content);
    const unit = later(unitAt(path));
    expect(planOf([unit], [row], READER).steps).toEqual([{ do: 'read', unit, known: row }]);
  });

  it('is only noted where it was touched, or replaced by its like', () => {
    const path = file(letters(10_000));
    const row = known(unitAt(path));
    expect(steps([later(unitAt(path))], [row])).toEqual([['note', path]]);
    expect(steps([{ ...unitAt(path), identity: '1:2' }], [row])).toEqual([['note', path]]);
  });

  it('is read anew where an older reader read it, and where none could', () => {
    const unit = unitAt(file('{}\n'));
    expect(steps([unit], [known(unit, 3, { reader: READER - 1 })])).toEqual([['read', unit.path]]);
    const { checkpoint: _, readTo: __, readLines: ___, ...unread } = known(unit);
    expect(steps([later(unit)], [unread])).toEqual([['read', unit.path]]);
  });

  it('is gone where it is deleted, or emptied, and is told so once', () => {
    const path = file(letters(100));
    const row = known(unitAt(path));
    writeAt(path, '');
    expect(steps([later(unitAt(path))], [row])).toEqual([['gone', path]]);
    expect(steps([later(unitAt(path))], [{ ...row, gone: true }])).toEqual([]);
    rmSync(path);
    expect(steps([], [row])).toEqual([['gone', path]]);
    expect(steps([], [{ ...row, gone: true }])).toEqual([]);
  });

  it('is not gone where it still lies there, though it was not listed', () => {
    const row = known(unitAt(file('{}\n')));
    expect(steps([], [row])).toEqual([]);
  });

  it('is taken back where it was gone and lies there again', () => {
    const unit = unitAt(file('{}\n'));
    expect(steps([unit], [known(unit, 3, { gone: true })])).toEqual([['note', unit.path]]);
  });

  it('is moved where it has another path, and read on where it grew besides', () => {
    const folder = temporaryFolder();
    const before = file(letters(100), 'one.jsonl', folder);
    const row = known(unitAt(before));
    const after = join(folder, 'elsewhere', 'one.jsonl');
    mkdirSync(join(folder, 'elsewhere'));
    renameSync(before, after);
    const unit = unitAt(after);
    expect(planOf([unit], [row], READER).steps).toEqual([{ do: 'move', unit, known: row }]);
    writeAt(after, `${letters(100)}more`);
    expect(planOf([unitAt(after)], [row], READER).steps).toMatchObject([
      { do: 'move', reading: { do: 'append', from: { offset: 100 } } },
    ]);
  });

  it('is read anew where its name changed: the name is part of what its sessions are called', () => {
    const folder = temporaryFolder();
    const row = known(unitAt(file(letters(100), 'one.jsonl', folder)));
    renameSync(join(folder, 'one.jsonl'), join(folder, 'two.jsonl'));
    const unit = unitAt(join(folder, 'two.jsonl'));
    expect(planOf([unit], [row], READER).steps).toEqual([
      { do: 'move', unit, known: row, reading: { do: 'read', isSame: true } },
    ]);
  });

  it('is read anew where it has the identity of a deleted one, but other content', () => {
    const folder = temporaryFolder();
    const before = file(letters(100), 'one.jsonl', folder);
    const row = known(unitAt(before));
    rmSync(before);
    const unit = { ...unitAt(file(letters(200, 'b'), 'two.jsonl', folder)), identity: row.identity };
    expect(steps([unit], [row])).toEqual([
      ['read', unit.path],
      ['gone', before],
    ]);
  });

  it('is read anew where it has the identity of a deleted one of which nothing had been read', () => {
    const folder = temporaryFolder();
    const before = file('{"torn', 'one.jsonl', folder);
    const row = known(unitAt(before), 0);
    rmSync(before);
    // File systems give the number of a deleted file to the next one.
    const unit = { ...unitAt(file('{"another":1}\n', 'two.jsonl', folder)), identity: row.identity };
    expect(steps([unit], [row])).toEqual([
      ['read', unit.path],
      ['gone', before],
    ]);
  });
});

describe('a plan', () => {
  it('begins with the newest and ends with what is gone', () => {
    const folder = temporaryFolder();
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => unitAt(file('{}\n', `${name}.jsonl`, folder))) as [
      Unit,
      Unit,
      Unit,
      Unit,
    ];
    const rows = [known(d)];
    rmSync(d.path);
    const aged = [
      { ...a, modified: 2 },
      { ...b, modified: 3 },
      { ...c, modified: 2 },
    ];
    expect(steps(aged, rows)).toEqual([
      ['read', b.path],
      ['read', a.path],
      ['read', c.path],
      ['gone', d.path],
    ]);
  });
});
