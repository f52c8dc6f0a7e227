import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { describe, expect, it } from 'vitest';

const SRC = join(import.meta.dirname, '..', 'src');

/** The folders of the house: each may import from itself and from those after it. */
const HOUSE = [
  'cli',
  'tui',
  'render',
  'server',
  'mcp',
  'setup',
  'briefs',
  'search',
  'ingest',
  'usage',
  'semantic',
  'repair',
  'holdings',
  'lexical',
  'events',
  'recall',
  'projects',
  'archive',
  'catalog',
  'redact',
  'agents',
  'store',
  'transcript',
  'home',
];
/** These import nothing of ours. */
const GROUND: readonly string[] = ['transcript', 'home'];

/** These answer from what is kept. All that they ask of the writing side is a refresh, where one is due or something is written. */
const READING_SIDE: readonly string[] = ['tui', 'render', 'mcp', 'setup', 'search'];
const REFRESHING: readonly string[] = [join('ingest', 'refresh.ts'), join('ingest', 'following.ts')];

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
const folderOf = (name: string) => name.split(sep)[0]!;

function importsOf(name: string): string[] {
  const source = readFileSync(join(SRC, name), 'utf8');
  const paths = [...source.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map((found) => found[1]!);
  return paths
    .map((path) => relative(SRC, resolve(join(SRC, dirname(name)), path)))
    .filter((path) => !path.startsWith('..'));
}

/** All that a file imports, and what that imports, and so on. */
function reachableFrom(name: string): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [...(imports.get(name) ?? [])];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    waiting.push(...(imports.get(next) ?? []));
  }
  return reached;
}

const imports: ReadonlyMap<string, readonly string[]> = new Map(files.map((name) => [name, importsOf(name)]));

describe('the house', () => {
  it('has a place for every folder', () => {
    expect([...new Set(files.map(folderOf))].filter((folder) => !HOUSE.includes(folder))).toEqual([]);
  });

  it('lets imports only point down', () => {
    const up = files.flatMap((name) =>
      importsOf(name)
        .filter((path) => {
          const [from, to] = [folderOf(name), folderOf(path)];
          return from !== to && (GROUND.includes(from) || HOUSE.indexOf(to) < HOUSE.indexOf(from));
        })
        .map((path) => `${name} imports ${path}`),
    );
    expect(up).toEqual([]);
  });

  it('has no circles', () => {
    const inCircles = files.filter((name) => reachableFrom(name).has(name));
    expect(inCircles).toEqual([]);
  });

  it('keeps the reading side off the writing side: only what writes or refreshes imports ingest/', () => {
    const onWritingSide = files
      .filter((name) => READING_SIDE.includes(folderOf(name)))
      .flatMap((name) =>
        importsOf(name)
          .filter((path) => folderOf(path) === 'ingest' && !REFRESHING.includes(path))
          .map((path) => `${name} imports ${path}`),
      );
    expect(onWritingSide).toEqual([]);
  });

  it('names no agent outside the folders of agents', () => {
    const named = files
      .filter((name) => folderOf(name) !== 'agents')
      .filter((name) => /'(?:claude-code|codex)'/.test(readFileSync(join(SRC, name), 'utf8')));
    expect(named).toEqual([]);
  });

  it('has no file that asks to be split', () => {
    const long = files.filter((name) => readFileSync(join(SRC, name), 'utf8').split('\n').length > 401);
    expect(long).toEqual([]);
  });
});
