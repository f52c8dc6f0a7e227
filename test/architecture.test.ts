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

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
const folderOf = (name: string) => name.split(sep)[0]!;

function importsOf(name: string): string[] {
  const source = readFileSync(join(SRC, name), 'utf8');
  const paths = [...source.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map((found) => found[1]!);
  return paths
    .map((path) => relative(SRC, resolve(join(SRC, dirname(name)), path)))
    .filter((path) => !path.startsWith('..'));
}

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

  it('names no agent outside the folders of agents', () => {
    const named = files
      .filter((name) => folderOf(name) !== 'agents' && folderOf(name) !== 'setup')
      .filter((name) => /'(?:claude-code|codex)'/.test(readFileSync(join(SRC, name), 'utf8')));
    expect(named).toEqual([]);
  });

  it('has no file that asks to be split', () => {
    const long = files.filter((name) => readFileSync(join(SRC, name), 'utf8').split('\n').length > 401);
    expect(long).toEqual([]);
  });
});
