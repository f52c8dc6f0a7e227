import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TITLE_CHUNK } from '../../../src/catalog/catalog.ts';
import { stretchesOf } from '../../../src/search/answers/snippet.ts';
import { planOf } from '../../../src/search/matching/plan.ts';
import { printQuery } from '../../../src/search/query/print.ts';
import type { Clause, Query } from '../../../src/search/query/query.ts';
import { candidatesOf } from '../../../src/search/ranking/candidates.ts';
import { Transcript } from '../history.ts';
import { type Library, openLibrary } from '../library.ts';

const WORDS = ['lamp', 'rope', 'wick', 'tide', 'buoy', 'quay'];
const PROJECTS = ['harbor', 'lantern', 'pier'];

let state = 11;
const random = (n: number) => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
  return (state >>> 8) % n;
};
const some = (n: number) => Array.from({ length: 1 + random(n) }, () => WORDS[random(WORDS.length)]).join(' ');

/** A passage as plain texts. */
interface Plain {
  readonly id: number;
  readonly turn: string;
  readonly project: string;
  readonly hasTool: boolean;
  readonly texts: readonly string[];
}

/** Whether a clause holds for a passage, by nothing but its words. */
function holds(clause: Clause, passage: Plain): boolean {
  switch (clause.type) {
    case 'word':
    case 'phrase':
      return passage.texts.some((text) => ` ${text} `.includes(` ${clause.text} `));
    case 'not':
      return !holds(clause.of, passage);
    case 'and':
      return clause.of.every((one) => holds(one, passage));
    case 'or':
      return clause.of.some((one) => holds(one, passage));
    case 'unreadable':
      return false;
    case 'filter':
      if ('at' in clause) throw new Error('no times here');
      return clause.field === 'tool' ? passage.hasTool : clause.values.some((value) => value === passage.project);
  }
}

function randomClause(depth: number): Clause {
  const of = () => [randomClause(depth - 1), randomClause(depth - 1)];
  switch (random(depth > 0 ? 8 : 4)) {
    case 0:
      return { type: 'phrase', text: `${WORDS[random(WORDS.length)]} ${WORDS[random(WORDS.length)]}` };
    case 1:
      return random(2) === 0
        ? { type: 'filter', field: 'project', values: [PROJECTS[random(3)]!] }
        : { type: 'filter', field: 'tool', values: ['shell'] };
    case 4:
    case 5:
      return { type: 'or', of: of() };
    case 6:
      return { type: 'and', of: of() };
    case 7:
      return { type: 'not', of: randomClause(depth - 1) };
    default:
      return { type: 'word', text: WORDS[random(WORDS.length)]!, prefix: false };
  }
}

describe('1,000 random queries', () => {
  let library: Library;
  let passages: Plain[];

  beforeAll(async () => {
    const sessions = PROJECTS.map((project) => {
      const session = new Transcript(`plan ${project}`, { cwd: `/home/dev/${project}` });
      for (let turn = 0; turn < 25; turn++) {
        session.prompt(some(3));
        session.answer(some(4));
        if (random(3) === 0) session.tool('Bash', { command: some(2) }, some(2));
      }
      return session;
    });
    library = await openLibrary(sessions);
    const { catalog, archive } = library.stores;
    const ids = catalog.db.rows<{ id: number }>('SELECT id FROM passages').map((row) => row.id);
    passages = catalog.passages(ids).map((row) => {
      const session = catalog.session(row.session)!;
      const parts = archive.chunk(row.session, row.turn, Math.max(row.chunk, 0))!.body.parts;
      const inTurn = catalog.db.row('SELECT 1 FROM tools WHERE session = ? AND turn = ?', row.session, row.turn);
      const texts =
        row.chunk === TITLE_CHUNK
          ? catalog.titlePassage(row.session)!.title.split('\n')
          : stretchesOf(parts.slice(row.firstPart, row.lastPart + 1), row.from, row.to).map(({ text }) =>
              text.replace(/\s+/g, ' '),
            );
      return {
        id: row.id,
        turn: `${row.session} ${row.turn}`,
        project: session.project!,
        hasTool: inTurn !== undefined,
        texts,
      };
    });
  });
  afterAll(() => library.close());

  it('find what a reading of all passages finds', () => {
    const { stores } = library;
    const shapes = { asked: 0, browsed: 0, several: 0 };
    for (let i = 0; i < 1000; i++) {
      const clauses = Array.from({ length: 1 + random(3) }, () => randomClause(3));
      const query: Query = { text: '', clauses };
      const plan = planOf(query, stores.lexical, {});
      if (plan.isCut) continue;
      const { candidates } = candidatesOf(stores, plan);
      const found = new Set(candidates.filter((one) => one.holdsAll).map((one) => one.passage));
      const wanted = passages.filter((passage) => clauses.every((clause) => holds(clause, passage)));
      const text = printQuery(query);
      if (plan.branches.length > 1) shapes.several++;
      if (plan.branches.every((branch) => branch.asked)) {
        shapes.asked++;
        expect([...found].sort(), text).toEqual(wanted.map(({ id }) => id).sort());
      } else {
        // A turn is browsed where nothing in it is left out.
        shapes.browsed++;
        const turns = new Set(wanted.map(({ turn }) => turn));
        for (const passage of passages) if (found.has(passage.id)) expect(turns.has(passage.turn), text).toBe(true);
      }
    }
    for (const [shape, count] of Object.entries(shapes)) expect(count, shape).toBeGreaterThan(100);
  });

  it('find with any word no less than with all, and nothing that must not be', () => {
    const { stores } = library;
    const lamp: Clause = { type: 'word', text: 'lamp', prefix: false };
    for (let i = 0; i < 300; i++) {
      const rope: Clause = { type: 'word', text: WORDS[random(WORDS.length)]!, prefix: false };
      const unwanted = randomClause(2);
      const clauses: Clause[] = [lamp, rope, { type: 'not', of: unwanted }];
      const plan = planOf({ text: '', clauses }, stores.lexical, {});
      if (plan.isCut || !plan.branches.every((branch) => branch.asked)) continue;
      const found = candidatesOf(stores, plan).candidates.map((one) => one.passage);
      const wanted = passages.filter(
        (passage) => (holds(lamp, passage) || holds(rope, passage)) && !holds(unwanted, passage),
      );
      // What is not unwanted may be wished for: `-(-quay)` is `quay`.
      for (const { id } of wanted) expect(found, printQuery({ text: '', clauses })).toContain(id);
    }
  });
});
