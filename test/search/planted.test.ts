import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Transcript, uuidOf } from './history.ts';
import { GENERATOR, highlighted, LIVE, type Library, NOW, openLibrary } from './library.ts';

describe('planted words are found with their field, turn and line', () => {
  const session = new Transcript('planted');
  const agent = new Transcript('planted agent', { subagentOf: session });
  const lines: Record<string, number> = {};
  let library: Library;

  beforeAll(async () => {
    session.plain({ type: 'custom-title', customTitle: 'The wobblequince session', sessionId: session.id });
    lines.prompt = session.prompt('Please look at the brambleknot in the pantry.');
    lines.thinking = session.thinking('Perhaps the thistledown comes first.');
    lines.answer = session.answer('I found a mothlantern behind it.');
    session.prompt('Then run it.');
    lines.command = session.tool('Bash', { command: 'make copperwillow --quiet' }, 'done').call;
    lines.output = session.tool('Bash', { command: 'make test' }, 'line one\nfernsaddle failed\nline three').result;
    lines.path = session.tool('Read', { file_path: `${session.cwd}/src/otterglass/keel.ts` }, 'export {}').call;
    lines.edit = session.tool(
      'Edit',
      { file_path: `${session.cwd}/a.ts`, old_string: 'one', new_string: 'const plumharrow = 2' },
      'ok',
    ).call;
    session.prompt('And the last thing.');
    const spawn = session.tool('Task', { description: 'Look around', prompt: 'Look for the gullwhistle.' }, 'found it');
    agent.meta({ agentType: 'Explore', description: 'Look around the quillmarsh', toolUseId: spawn.id });
    lines.agentPrompt = agent.prompt('Look for the gullwhistle.');
    lines.agentAnswer = agent.answer('It is a siltpebble.');
    library = await openLibrary([session, agent]);
  });
  afterAll(() => library.close());

  it.each([
    ['brambleknot', 'prompt', 1, 'prompt'],
    ['thistledown', 'thinking', 1, 'thinking'],
    ['mothlantern', 'answer', 1, 'answer'],
    ['copperwillow', 'tools', 2, 'command'],
    ['fernsaddle', 'output', 2, 'output'],
    ['otterglass', 'paths', 2, 'path'],
    ['plumharrow', 'tools', 2, 'edit'],
  ])('%s in the %s of turn %i', (word, field, turn, line) => {
    const hits = library.hits(word);
    expect(hits).toHaveLength(1);
    expect(hits[0]).toMatchObject({
      id: `${session.key}#${turn}`,
      session: session.key,
      turn,
      field,
      where: { path: join(library.home, session.file), line: lines[line] },
    });
    expect(hits[0]!.snippet).toContain(word);
    expect(highlighted(hits[0]!)).toEqual([word]);
  });

  it('wobblequince in the title', () => {
    const [hit, ...others] = library.hits('wobblequince');
    expect(others).toEqual([]);
    expect(hit).toMatchObject({ session: session.key, field: 'title', snippet: 'The wobblequince session' });
    expect(hit!.where.path).toBe(join(library.home, session.file));
    expect(highlighted(hit!)).toEqual(['wobblequince']);
  });

  it('siltpebble in a sub-agent, whose parent is told', () => {
    const [hit, ...others] = library.hits('siltpebble');
    expect(others).toEqual([]);
    expect(hit).toMatchObject({
      id: `${agent.key}#1`,
      field: 'answer',
      where: { path: join(library.home, agent.file), line: lines.agentAnswer },
      lineage: { parent: session.key },
    });
  });

  it('gullwhistle in the call that started the sub-agent and in the sub-agent’s prompt', () => {
    const found = library.hits('gullwhistle').map((hit) => [hit.id, hit.field, hit.where.line]);
    expect(found).toHaveLength(2);
    expect(found).toContainEqual([`${session.key}#3`, 'tools', expect.any(Number)]);
    expect(found).toContainEqual([`${agent.key}#1`, 'prompt', lines.agentPrompt]);
  });

  it('quillmarsh in the name that the sub-agent was given', () => {
    expect(library.hits('quillmarsh').map((hit) => [hit.session, hit.field])).toEqual([[agent.key, 'title']]);
  });

  it('a word that is nowhere is not found', () => {
    expect(library.search('zephyrquark')).toMatchObject({ hits: [], total: { turns: 0, relation: 'eq' } });
  });
});

describe('a word that stands in one record only, in a history of one session', () => {
  it('is found in a session of one record', async () => {
    const session = new Transcript('alone');
    session.prompt('marrowfat');
    const library = await openLibrary([session]);
    try {
      const [hit] = library.hits('marrowfat');
      expect(hit).toMatchObject({ id: `${session.key}#1`, field: 'prompt', where: { line: 1 } });
      expect(hit!.score).toBeGreaterThan(0);
    } finally {
      library.close();
    }
  });
});

describe('spellings', () => {
  const session = new Transcript('spellings');
  let library: Library;
  /** Each text is a turn of its own, from 1. */
  const TEXTS = [
    'We call parseHarborManifest(input) here.',
    'The column is named tide_gauge_reading in the table.',
    'See packages/dock/pier_builder.rs for the rest.',
    'listen EADDRINUSE: address already in use 0.0.0.0:48213',
    'src/a.ts(3,7): error TS2345: Argument is not assignable.',
    'The service answered ERR-404 and gave up.',
    'Die Größe der Boje änderte sich überraschend.',
    'We met in the café on the quay.',
    'Перенос строки сломал разбор журнала маяка.',
    '生产环境的数据库连接池耗尽了所以服务重启。',
    'ログファイルの書き込みに失敗したので再試行しました。',
    'HTTPServerError came from max-retry-count.',
    'version v2.14.3 of @harbor/lamp.core',
    'shipped🚀today',
    '등대 데이터베이스를 복구했습니다',
    '写完以后要记得上锁。',
  ];
  beforeAll(async () => {
    for (const text of TEXTS) {
      session.prompt(text);
      session.answer('Understood.');
    }
    library = await openLibrary([session]);
  });
  afterAll(() => library.close());

  it.each([
    ['a part of a camelCase word', 'harbor manifest', 1],
    ['one part of a camelCase word', 'manifest', 1],
    ['a camelCase word whole, in another case', 'parseharbormanifest', 1],
    ['a camelCase word in snake_case', 'parse_harbor_manifest', 1],
    ['a beginning of a camelCase word', 'parseHarb*', 1],
    ['a part of a snake_case word', 'gauge', 2],
    ['a snake_case word in camelCase', 'tideGaugeReading', 2],
    ['a snake_case word whole', 'tide_gauge_reading', 2],
    ['a path’s last name', 'pier_builder.rs', 3],
    ['a path’s last name without its ending', 'pier_builder', 3],
    ['a part of a path’s last name', 'builder', 3],
    ['a whole path', 'packages/dock/pier_builder.rs', 3],
    ['an error code', 'EADDRINUSE', 4],
    ['an error code in lower case', 'eaddrinuse', 4],
    ['a port', '48213', 4],
    ['an error line', 'EADDRINUSE 0.0.0.0:48213', 4],
    ['a compiler’s error code', 'TS2345', 5],
    ['an error code with a hyphen', 'ERR-404', 6],
    ['an error code with a hyphen, in part', '404', 6],
    ['an error code as a phrase', '"ERR-404 and gave up"', 6],
    ['ß as ss', 'grosse', 7],
    ['ß as it is', 'größe', 7],
    ['ß in capitals', 'GRÖSSE', 7],
    ['an umlaut left out', 'anderte', 7],
    ['an accent left out', 'cafe', 8],
    ['an accent as it is', 'café', 8],
    ['an accent put on its letter', 'cafe\u0301', 8],
    ['Cyrillic', 'журнала', 9],
    ['Cyrillic in capitals', 'МАЯКА', 9],
    ['Cyrillic with a breve', 'сломал', 9],
    ['Chinese in the middle of a sentence', '连接池', 10],
    ['Chinese of two characters', '耗尽', 10],
    ['Chinese at the end of a sentence', '服务重启', 10],
    ['Japanese in the middle of a sentence', '書き込み', 11],
    ['Japanese in katakana', 'ログファイル', 11],
    ['Korean', '데이터베이스', 15],
    ['an acronym before a word', 'HTTP server', 12],
    ['a kebab-case word in part', 'retry', 12],
    ['a kebab-case word in camelCase', 'maxRetryCount', 12],
    ['a version', 'v2.14.3', 13],
    ['a name with a dot', 'lamp.core', 13],
    ['a word that an emoji is glued to', 'shipped', 14],
    ['a Chinese word of one character', '锁', 16],
  ])('%s: %s', (_, query, turn) => {
    const hits = library.hits(query, { explain: true });
    expect(hits[0]?.turn).toBe(turn);
    expect(hits[0]?.explain).toMatchObject({ holdsAll: true });
  });

  it.each(['池连接', '"grosses"', '再挑戦'])('%s is not found: it is no word of the history', (query) => {
    expect(library.ids(query)).toEqual([]);
  });

  it.each(['журн', 'harb'])('%s is found as the beginning of a word, which is said', (query) => {
    const { hits, query: asked } = library.search(query);
    expect(hits).not.toEqual([]);
    expect(asked.corrections).toEqual([{ from: query, to: `${query}*` }]);
  });
});

describe('a session of 50 MB', () => {
  it('gives its first and its last line', async () => {
    const home = mkdtempSync(join(tmpdir(), 'portolan-large-'));
    const id = uuidOf('fifty megabytes');
    const file = join('.claude/projects/-home-dev-projects-lantern', `${id}.jsonl`);
    const last = writeLarge(join(home, file), id, 50 << 20);
    let library: Library | undefined;
    try {
      library = await openLibrary(home);
      const path = join(library.home, file);
      expect(library.hits('tallowfinch')).toMatchObject([{ id: `claude-code:${id}#1`, where: { path, line: 1 } }]);
      expect(library.hits('cinderloach')).toMatchObject([
        { id: `claude-code:${id}#${last.turn}`, turn: last.turn, field: 'answer', where: { path, line: last.line } },
      ]);
      expect(library.hits('ropewalk5000')).toMatchObject([{ field: 'output', where: { line: last.marked } }]);
    } finally {
      library?.close();
      rmSync(home, { recursive: true, force: true });
    }
  });

  /** Writes turns of a prompt, a call and its output until the size is reached; gives where the last words stand. */
  function writeLarge(path: string, session: string, size: number) {
    mkdirSync(dirname(path), { recursive: true });
    const out = openSync(path, 'w');
    const filler = 'rope tar sail mast deck hull keel buoy quay lamp gull tide wind fog '.repeat(95);
    let after: string | null = null;
    let [line, turn, written, marked] = [0, 0, 0, 0];
    let block = '';
    const put = (record: object) => {
      const uuid: string = `00000000-0000-4000-a000-${String(++line).padStart(12, '0')}`;
      const timestamp = new Date(Date.parse('2026-11-20T00:00:00Z') + line * 1000).toISOString();
      const common = { parentUuid: after, isSidechain: false, cwd: '/home/dev/projects/lantern', sessionId: session };
      block += `${JSON.stringify({ ...common, version: '2.1.332', ...record, uuid, timestamp })}\n`;
      after = uuid;
      if (block.length > 1 << 20) flush();
    };
    const flush = () => {
      written += writeSync(out, block);
      block = '';
    };
    const answer = (content: object) =>
      put({ type: 'assistant', message: { id: `msg_${line}`, role: 'assistant', model: 'm', content: [content] } });
    while (written + block.length < size) {
      turn++;
      put({ type: 'user', message: { role: 'user', content: turn === 1 ? 'tallowfinch' : `Go on, ${turn}.` } });
      answer({ type: 'tool_use', id: `t${turn}`, name: 'Bash', input: { command: `make part-${turn}` } });
      const content = [{ type: 'tool_result', tool_use_id: `t${turn}`, content: `ropewalk${turn} ${filler}` }];
      put({ type: 'user', message: { role: 'user', content } });
      if (turn === 5000) marked = line;
      answer({ type: 'text', text: 'Done.' });
    }
    answer({ type: 'text', text: 'The cinderloach swims last.' });
    flush();
    closeSync(out);
    return { line, turn, marked };
  }
});

describe.skipIf(GENERATOR === undefined)('the needles of the generator', () => {
  interface Needle {
    readonly vendor: string;
    readonly zone: string;
    readonly kind: string;
    readonly session: string;
    readonly query: string;
    readonly file: string;
  }
  const FIELDS: Readonly<Record<string, readonly string[]>> = {
    'claude.user': ['prompt'],
    'claude.assistant': ['answer'],
    'claude.thinking': ['thinking'],
    'claude.tool_use': ['tools'],
    'claude.tool_result': ['output'],
    'claude.summary': ['title', 'output'],
  };

  it('are all found first, in their sessions and fields', async () => {
    const home = mkdtempSync(join(tmpdir(), 'portolan-needles-'));
    let library: Library | undefined;
    try {
      execFileSync(process.execPath, [GENERATOR!, '--mb', '20', '--seed', '1', '--home', home]);
      // The generator wrote this file: `plant` gives its shape.
      const needles = (JSON.parse(readFileSync(join(home, 'needles.json'), 'utf8')) as Needle[]).filter(
        (needle) => needle.vendor === 'claude' && needle.kind !== 'semantic',
      );
      expect(needles.length).toBeGreaterThan(25);
      library = await openLibrary(home);
      const missed = needles.flatMap(({ zone, kind, session, query }) => {
        const [first] = library!.hits(query, { now: NOW });
        // A sub-agent's needle names the session that it belongs to.
        const owner = zone === 'claude.sidechain' ? first?.lineage.parent : first?.session;
        const isField = FIELDS[zone]?.includes(first?.field ?? '') ?? true;
        return owner?.endsWith(session) && isField
          ? []
          : [{ zone, kind, session, query, got: first && [first.id, first.field] }];
      });
      expect(missed).toEqual([]);
    } finally {
      library?.close();
      rmSync(home, { recursive: true, force: true });
    }
  });
});

describe.skipIf(LIVE === undefined)('what Claude Code itself recorded', () => {
  interface Planted {
    readonly phrase: string;
    readonly in: string;
    readonly found: boolean;
    readonly where: readonly (readonly [string, number])[];
  }
  interface Expected {
    readonly sessions: readonly { readonly id: string; readonly planted: readonly Planted[] }[];
  }
  const FIELDS: Readonly<Record<string, RegExp>> = {
    prompt: /^prompt$/,
    thinking: /^thinking$/,
    answer: /^answer$/,
    write: /^tools$/,
    edit: /^tools$/,
    'tool input': /^tools$/,
    // The command that printed it stands beside it, and holds it too.
    'tool output': /^(?:tools|output)$/,
  };

  it('is found by every planted phrase, at a line that holds it', async () => {
    const library = await openLibrary(join(LIVE!, 'home'));
    try {
      // The corpus describes this file in its README.
      const { sessions } = JSON.parse(readFileSync(join(LIVE!, 'expected.json'), 'utf8')) as Expected;
      const planted = sessions.flatMap(({ id, planted }) => planted.map((one) => ({ session: id, ...one })));
      expect(planted.filter((one) => one.found).length).toBeGreaterThan(50);
      const wrong = planted.flatMap((one) => {
        const hits = library.hits(`"${one.phrase}"`);
        const isFound = hits.some(
          (hit) =>
            (hit.session.endsWith(one.session) || hit.lineage.parent?.endsWith(one.session)) &&
            hit.snippet.includes(one.phrase) &&
            one.where.some(([file, line]) => hit.where.path.endsWith(file) && hit.where.line === line),
        );
        return isFound === one.found
          ? []
          : [{ ...one, where: one.where.length, got: hits.map((hit) => [hit.id, hit.field, hit.where.line]) }];
      });
      expect(wrong).toEqual([]);
      for (const { phrase, in: zone, found, session } of planted) {
        const field = FIELDS[zone];
        if (!found || field === undefined) continue;
        const turns = library.hits(`"${phrase}"`).filter((hit) => hit.session.endsWith(session));
        const fields = turns.map((hit) => hit.field);
        expect(
          fields.some((one) => field.test(one)),
          `${phrase} in ${zone}: ${fields}`,
        ).toBe(true);
      }
    } finally {
      library.close();
    }
  });
});
