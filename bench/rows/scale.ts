import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Archive } from '../../src/archive/archive.ts';
import { piecesOf } from '../../src/holdings/passages.ts';
import { Database } from '../../src/store/database.ts';
import type { Group } from '../group.ts';
import { formatCount, formatMegabytes, formatMs, median, percentile } from '../measure.ts';
import { run, variablesFor, wallTime } from '../programs.ts';
import set from '../queries.json' with { type: 'json' };
import type { Answered, Done, Job, Way } from '../scale/ask.ts';
import { ENGINES, type EngineId, openIndex } from '../scale/engines.ts';
import { type Large, largeHistory } from '../scale/large.ts';
import { type Question, questionsFrom } from '../scale/questions.ts';
import { limited, type Row, told } from '../table.ts';
import type { Workshop } from '../workshop.ts';

const MEDIAN_MS = 5;
const P95_MS = 30;
const REPEATS = 5;
/** A process each: one question in so many is asked cold. */
const COLD_OF = 6;
const SESSIONS_A_FILE = 100;
const NOW = Date.parse(set.now);
const ASK = join(import.meta.dirname, '..', 'scale', 'ask.ts');
const IDS = Object.keys(ENGINES) as EngineId[];
const NAMES: Readonly<Record<Way, string>> = {
  search: 'all of search',
  any: 'the engine alone, any of the words, best 10',
  all: 'the engine alone, all of the words, best 10',
};

type ByEngine<T> = Readonly<Record<EngineId, T>>;

export const scaleGroup: Group = {
  id: 'scale',
  isLong: true,
  async measure(workshop): Promise<Row[]> {
    const large = await largeHistory(workshop);
    const { questions, words } = drawn(large, workshop.options.seed);
    const warm = await eachEngine((engine) => {
      workshop.say(`${questions.length} questions to ${ENGINES[engine].name}`);
      return ask(workshop, large, engine, questions, ['search', 'any', 'all'], REPEATS);
    });
    const cold = await eachEngine(async (engine) => {
      workshop.say(`cold questions to ${ENGINES[engine].name}`);
      const answers: Answered[] = [];
      for (const question of questions.filter((_, i) => i % COLD_OF === 0))
        answers.push(...(await ask(workshop, large, engine, [question], ['search'], 0)).answers);
      return answers;
    });
    const alone = await eachEngine((engine) => ask(workshop, large, engine, questions, ['any', 'all'], 1));
    return [
      ...wayRows(large, questions, warm),
      ...kindRows(warm),
      coldRow(cold),
      memoryRow(warm, alone),
      ...scanRows(workshop, large, words, warm),
    ];
  },
};

function drawn(large: Large, seed: number) {
  const stores = openIndex(large.archive, large.index('portolan'), ENGINES.portolan);
  try {
    const { kinds, draws, grep } = set.scale;
    return {
      questions: questionsFrom(kinds, draws, stores, seed),
      words: questionsFrom({ grep }, 1, stores, seed).map(({ text }) => text),
    };
  } finally {
    stores.close();
  }
}

async function eachEngine<T>(work: (engine: EngineId) => Promise<T>): Promise<ByEngine<T>> {
  const [portolan, fts5] = [await work('portolan'), await work('fts5')];
  return { portolan, fts5 };
}

async function ask(
  workshop: Workshop,
  large: Large,
  engine: EngineId,
  questions: readonly Question[],
  ways: readonly Way[],
  repeats: number,
): Promise<Done> {
  const index = large.index(engine);
  const job: Job = { archive: large.archive, index, engine, now: NOW, questions, ways, repeats };
  const path = join(workshop.folder('jobs'), 'job.json');
  writeFileSync(path, JSON.stringify(job));
  return JSON.parse(await run([ASK, path], variablesFor(workshop.cwd, workshop.cwd), workshop.cwd)) as Done;
}

function timesOf(answers: readonly Answered[], way: Way): number[] {
  return answers.flatMap(({ ms }) => ms[way] ?? []);
}

/** Median and 95th percentile of both engines. */
function beside(answers: ByEngine<readonly Answered[]>, way: Way): string {
  return IDS.map((id) => {
    const times = timesOf(answers[id], way);
    return `${ENGINES[id].name} ${formatMs(median(times))}, 95th ${formatMs(percentile(times, 0.95))}`;
  }).join('; ');
}

function answersOf(done: ByEngine<Done>): ByEngine<readonly Answered[]> {
  return { portolan: done.portolan.answers, fts5: done.fts5.answers };
}

/** All questions, each way of asking; the numbers of the design are for all of search. */
function wayRows(large: Large, questions: readonly Question[], warm: ByEngine<Done>): Row[] {
  const on = `${formatCount(large.passages)} passages, ${questions.length} questions, warm`;
  const answers = answersOf(warm);
  const times = timesOf(answers.portolan, 'search');
  const [middle, p95] = [median(times), percentile(times, 0.95)];
  const measured = beside(answers, 'search');
  const what = `query at scale, ${NAMES.search}`;
  return [
    limited({ what: `${what}: median`, goal: '5 ms', measured, on, figures: { ms: middle } }, middle, MEDIAN_MS),
    limited({ what: `${what}: 95th percentile`, goal: '30 ms', measured, on, figures: { ms: p95 } }, p95, P95_MS),
    ...(['any', 'all'] as const).map((way) =>
      told({ what: `– ${NAMES[way]}`, measured: beside(answers, way), on, figures: figuresOf(answers, way) }),
    ),
  ];
}

function figuresOf(answers: ByEngine<readonly Answered[]>, way: Way): Record<string, number> {
  return Object.fromEntries(
    IDS.flatMap((id) => {
      const times = timesOf(answers[id], way);
      return [
        [`${id}_median`, median(times)],
        [`${id}_p95`, percentile(times, 0.95)],
      ];
    }),
  );
}

/** Each kind of question, each way. */
function kindRows(warm: ByEngine<Done>): Row[] {
  const kinds = [...new Set(warm.portolan.answers.map(({ kind }) => kind))];
  return kinds.flatMap((kind) => {
    const pick = (answers: readonly Answered[]) => answers.filter((answer) => answer.kind === kind);
    const answers = { portolan: pick(warm.portolan.answers), fts5: pick(warm.fts5.answers) };
    const found = answers.portolan.filter(({ hits }) => hits > 0).length;
    const worst = answers.portolan.reduce((most, one) => ((one.ms.search ?? 0) > (most.ms.search ?? 0) ? one : most));
    return (['search', 'any', 'all'] as const).map((way) =>
      told({
        what: `– ${kind}, ${way === 'search' ? NAMES.search : `engine, ${way}`}`,
        measured: beside(answers, way),
        on:
          way === 'search'
            ? `${answers.portolan.length} questions, ${found} with hits; worst ${formatMs(worst.ms.search ?? 0)}`
            : '',
        figures: figuresOf(answers, way),
      }),
    );
  });
}

function coldRow(cold: ByEngine<readonly Answered[]>): Row {
  return told({
    what: 'query at scale, cold',
    measured: beside(cold, 'search'),
    on: `${cold.portolan.length} of them, each in a new process: files opened and all of search; files in the page cache`,
    figures: figuresOf(cold, 'search'),
  });
}

function memoryRow(warm: ByEngine<Done>, alone: ByEngine<Done>): Row {
  const grown = ({ rss }: Done) => formatMegabytes(rss.after - rss.before);
  return told({
    what: 'memory of the questions',
    measured: IDS.map((id) => `${ENGINES[id].name} ${grown(warm[id])}, engine alone ${grown(alone[id])}`).join('; '),
    on: 'resident after all of them, above the same process before; pages of the files that are mapped count',
    figures: Object.fromEntries(IDS.map((id) => [id, warm[id].rss.after - warm[id].rss.before])),
  });
}

/** The same texts without any index: unpacked from the archive and looked through; and as files under grep. */
function scanRows(workshop: Workshop, large: Large, words: readonly string[], warm: ByEngine<Done>): Row[] {
  workshop.say('grep and a scan');
  const folder = workshop.folder('texts');
  writeTexts(large.archive, folder);
  const variables = { ...variablesFor(workshop.cwd, workshop.cwd), LC_ALL: 'C' };
  const grep = (word: string) => wallTime('grep', ['-rFci', '--', word, folder], variables, workshop.cwd, [0, 1]);
  grep(words[0]!);
  const greps = words.map(grep);
  const begin = performance.now();
  const found = scan(large.archive, words[0]!);
  const ms = performance.now() - begin;
  const searches = median(timesOf(warm.portolan.answers, 'search'));
  return [
    told({
      what: 'grep -rFi over the same texts',
      measured: `${formatMs(median(greps))}; worst ${formatMs(Math.max(...greps))}`,
      on: `${words.length} single words, files in the page cache, everything counted; median of all questions above ${formatMs(searches)}`,
      figures: { ms: median(greps) },
    }),
    told({
      what: 'a scan of the archive',
      measured: formatMs(ms),
      on: `one word: every chunk unpacked and looked through, ${found} hold it`,
      figures: { ms },
    }),
  ];
}

function* chunkTexts(path: string): Iterable<{ readonly session: number; readonly text: string }> {
  const archive = new Archive(Database.forReading(path));
  try {
    for (const { id } of archive.revisions())
      for (const { turn } of archive.turns(id))
        for (const { body } of archive.chunksOf(id, turn))
          yield {
            session: id,
            text: body.parts.flatMap((part) => piecesOf(part).map((piece) => piece.text)).join('\n'),
          };
  } finally {
    archive.db.close();
  }
}

function writeTexts(archive: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  let texts: string[] = [];
  let file = 0;
  const flush = () => {
    writeFileSync(join(folder, `${file}.txt`), texts.join('\n'));
    texts = [];
  };
  for (const { session, text } of chunkTexts(archive)) {
    const of = Math.floor(session / SESSIONS_A_FILE);
    if (of !== file) flush();
    file = of;
    texts.push(text);
  }
  flush();
}

function scan(archive: string, word: string): number {
  const wanted = word.toLowerCase();
  let found = 0;
  for (const { text } of chunkTexts(archive)) if (text.toLowerCase().includes(wanted)) found++;
  return found;
}
