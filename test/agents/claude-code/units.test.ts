import { mkdirSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { units } from '../../../src/agents/claude-code/units.ts';
import { SESSION, uuid } from '../../support/claude-records.ts';
import { temporaryFolder, writeAt } from '../../support/folders.ts';

async function found(root: string, layout = 'home') {
  const list = [];
  for await (const unit of units({ path: root, layout })) list.push(unit);
  return list;
}
const namesOf = async (root: string, layout?: string) =>
  (await found(root, layout)).map((unit) => relative(root, unit.path)).sort();
const at = (root: string, ...names: string[]) => writeAt(join(root, ...names), '{}\n');

describe('the units of a home', () => {
  it('are its transcripts, sub-agents in all layouts, and the prompt history', async () => {
    const root = temporaryFolder();
    const expected = [
      join('projects', '-p', `${SESSION}.jsonl`),
      join('projects', '-p', 'agent-a179fc6.jsonl'),
      join('projects', '-p', SESSION, 'subagents', 'agent-a1.jsonl'),
      join('projects', '-p', SESSION, 'subagents', 'workflows', 'wf_1', 'agent-a2.jsonl'),
      'history.jsonl',
    ];
    for (const name of expected) at(root, name);
    at(root, 'projects', '-p', SESSION, 'subagents', 'workflows', 'wf_1', 'journal.jsonl');
    at(root, 'projects', '-p', SESSION, 'subagents', 'agent-a1.meta.json');
    at(root, 'projects', '-p', SESSION, 'tool-results', 'b1.jsonl');
    at(root, 'projects', '-p', 'memory', 'notes.jsonl');
    at(root, 'projects', '-p', 'sessions-index.json');
    at(root, 'todos', 'x.jsonl');
    expect(await namesOf(root)).toEqual(expected.sort());
  });

  it('tell size, time and identity', async () => {
    const root = temporaryFolder();
    const path = at(root, 'projects', '-p', `${SESSION}.jsonl`);
    const [unit] = await found(root);
    expect(unit).toMatchObject({ source: 'claude-code', path, layout: 'home', format: 'append', size: 3 });
    expect(unit!.identity).toMatch(/^\d+:\d+$/);
    expect(Math.abs(unit!.modified - Date.now())).toBeLessThan(60_000);
  });

  it('are none where there is no home, or a file stands in its place', async () => {
    const root = temporaryFolder();
    expect(await namesOf(join(root, 'none'))).toEqual([]);
    at(root, 'projects');
    expect(await namesOf(root)).toEqual([]);
  });

  it('are found behind links to files and to folders of the same home, and behind one to the home’s own folder', async () => {
    const root = temporaryFolder();
    const projects = temporaryFolder();
    symlinkSync(projects, join(root, 'projects'));
    const transcript = at(root, 'kept', 'one.jsonl');
    at(root, 'kept', 'folder', 'two.jsonl');
    at(projects, '-q', 'three.jsonl');
    mkdirSync(join(projects, '-p'));
    symlinkSync(transcript, join(projects, '-p', `${uuid('one')}.jsonl`));
    symlinkSync(join(root, 'kept', 'folder'), join(projects, '-linked'));
    symlinkSync(join(projects, '-q'), join(projects, '-r'));
    expect(await namesOf(root)).toEqual(
      ['-linked/two.jsonl', `-p/${uuid('one')}.jsonl`, '-q/three.jsonl', '-r/three.jsonl'].map((name) =>
        join('projects', name),
      ),
    );
  });

  it('are not found behind links that lead out of the home, which are told', async () => {
    const root = temporaryFolder();
    const elsewhere = temporaryFolder();
    const own = join('projects', '-p', `${SESSION}.jsonl`);
    at(root, own);
    const links = [join(root, 'projects', '-linked'), join(root, 'projects', '-p', `${uuid('one')}.jsonl`)];
    symlinkSync(join(elsewhere, 'folder'), links[0]!);
    symlinkSync(at(elsewhere, 'folder', 'two.jsonl'), links[1]!);
    const told: string[] = [];
    const paths: string[] = [];
    for await (const { path } of units({ path: root, layout: 'home' }, { leadsOut: (link) => told.push(link) }))
      paths.push(path);
    expect(paths).toEqual([join(root, own)]);
    expect(told.sort()).toEqual(links);
  });

  it('are found beside links that lead nowhere or in a circle', async () => {
    const root = temporaryFolder();
    const own = join('projects', '-p', `${SESSION}.jsonl`);
    at(root, own);
    symlinkSync(join(root, 'nowhere'), join(root, 'projects', '-p', 'dangling.jsonl'));
    symlinkSync(join(root, 'projects', '-p', 'circle.jsonl'), join(root, 'projects', '-p', 'circle.jsonl'));
    expect(await namesOf(root)).toEqual([own]);
  });

  it('are found once where a link leads back to a folder above', async () => {
    const root = temporaryFolder();
    const own = join('projects', '-p', `${SESSION}.jsonl`);
    at(root, own);
    symlinkSync(join(root, 'projects'), join(root, 'projects', '-p', 'up'));
    expect(await namesOf(root)).toEqual([own]);
  });

  it('are found below a folder that is named like a transcript', async () => {
    const root = temporaryFolder();
    at(root, 'projects', '-p.jsonl', `${SESSION}.jsonl`);
    expect(await namesOf(root)).toEqual([join('projects', '-p.jsonl', `${SESSION}.jsonl`)]);
  });
});

describe('the units of the desktop program', () => {
  it('lie in the homes of its sessions, up to four folders deep', async () => {
    const root = temporaryFolder();
    const expected = [
      join('local_a', '.claude', 'projects', '-s', `${uuid('a')}.jsonl`),
      join('one', 'two', 'local_b', '.claude', 'projects', '-s', `${uuid('b')}.jsonl`),
      join('one', 'two', 'local_b', '.claude', 'projects', '-s', uuid('b'), 'subagents', 'agent-a1.jsonl'),
    ];
    for (const name of expected) at(root, name);
    at(root, 'one', 'two', 'local_b.json');
    at(root, 'one', 'two', 'three', 'four', 'five', 'local_c', '.claude', 'projects', '-s', 'deep.jsonl');
    expect(await namesOf(root, 'desktop')).toEqual(expected.sort());
    for (const unit of await found(root, 'desktop')) expect(unit.layout).toBe('desktop');
  });
});
