import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentId, isProjectFolderOf, placeOf, roots } from '../../../src/agents/claude-code/paths.ts';
import type { Environment } from '../../../src/agents/source.ts';
import { SESSION } from '../../support/claude-records.ts';
import { temporaryFolder } from '../../support/folders.ts';

const env = (more: Partial<Environment> = {}): Environment => ({
  home: '/home/dev',
  platform: 'linux',
  variables: {},
  projects: [],
  ...more,
});
const paths = (more: Partial<Environment> = {}, layout = 'home') =>
  roots(env(more))
    .filter((root) => root.layout === layout)
    .map((root) => root.path);

describe('the homes of Claude Code', () => {
  it('are the two default ones', () => {
    expect(paths()).toEqual(['/home/dev/.claude', '/home/dev/.config/claude']);
  });

  it('are those that CLAUDE_CONFIG_DIR names too, several parted by commas', () => {
    expect(paths({ variables: { CLAUDE_CONFIG_DIR: '/one, /two/.claude ,,' } })).toEqual([
      '/one',
      '/two/.claude',
      '/home/dev/.claude',
      '/home/dev/.config/claude',
    ]);
  });

  it('are given once where the variable names a default one', () => {
    expect(paths({ variables: { CLAUDE_CONFIG_DIR: '/home/dev/.claude' } })).toEqual([
      '/home/dev/.claude',
      '/home/dev/.config/claude',
    ]);
  });

  it('are those inside projects that have a history, and not their settings alone', () => {
    const folder = temporaryFolder();
    const [full, settings, bare] = ['full', 'settings', 'bare'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    mkdirSync(join(full, '.claude', 'projects'), { recursive: true });
    mkdirSync(join(settings, '.claude'), { recursive: true });
    mkdirSync(bare);
    expect(paths({ projects: [full, settings, bare] })).toEqual([
      '/home/dev/.claude',
      '/home/dev/.config/claude',
      join(full, '.claude'),
    ]);
  });
});

describe('the folders of the desktop program', () => {
  it.each<[NodeJS.Platform, Environment['variables'], string[]]>([
    ['darwin', {}, ['/home/dev/Library/Application Support/Claude/local-agent-mode-sessions']],
    ['linux', {}, ['/home/dev/.config/Claude/local-agent-mode-sessions']],
    ['linux', { XDG_CONFIG_HOME: '/etc/dev' }, ['/etc/dev/Claude/local-agent-mode-sessions']],
    [
      'win32',
      {},
      [
        '/home/dev/AppData/Roaming/Claude/local-agent-mode-sessions',
        '/home/dev/AppData/Local/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude/local-agent-mode-sessions',
      ],
    ],
    [
      'win32',
      { APPDATA: '/roaming', LOCALAPPDATA: '/local' },
      [
        '/roaming/Claude/local-agent-mode-sessions',
        '/local/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude/local-agent-mode-sessions',
      ],
    ],
  ])('on %s with %o', (platform, variables, expected) => {
    expect(paths({ platform, variables }, 'desktop')).toEqual(expected);
  });
});

describe('what a path says of a transcript', () => {
  it.each([
    [`/p/${SESSION}.jsonl`, { stem: SESSION, isAgent: false }],
    ['/p/agent-a179fc6.jsonl', { stem: 'agent-a179fc6', isAgent: true }],
    [`/p/${SESSION}/subagents/agent-a1.jsonl`, { stem: 'agent-a1', parentFolder: SESSION, isAgent: true }],
    [
      `/p/${SESSION}/subagents/workflows/wf_d66113ec-b09/agent-a1.jsonl`,
      { stem: 'agent-a1', parentFolder: SESSION, isAgent: true },
    ],
    ['/p/subagents/agent-a1.jsonl', { stem: 'agent-a1', isAgent: true }],
  ])('%s', (path, expected) => {
    expect(placeOf(path)).toEqual(expected);
  });

  it('gives a short id of an agent the session before it, for it may meet again in another one', () => {
    expect(agentId('a179fc6', SESSION)).toBe(`${SESSION}/agent-a179fc6`);
    expect(agentId('a179fc6', undefined)).toBe('agent-a179fc6');
    expect(agentId('a2f02bb53ea843eba', SESSION)).toBe('agent-a2f02bb53ea843eba');
  });
});

describe('a project folder', () => {
  it('stands for the folder whose signs became dashes', () => {
    expect(isProjectFolderOf('-tmp-portolan-new', '/tmp/portolan-new')).toBe(true);
    expect(isProjectFolderOf('-tmp-portolan-new', '/tmp/portolan_new')).toBe(true);
    expect(isProjectFolderOf('-tmp-portolan-new', '/tmp/portolan-old')).toBe(false);
    const long = `/home/dev/${'deep/'.repeat(60)}`;
    expect(isProjectFolderOf(`${long.replace(/\W/g, '-').slice(0, 200)}-1abc2d`, long)).toBe(true);
  });

  it('is found in a transcript’s path', () => {
    expect(placeOf(`/h/.claude/projects/-a-b/${SESSION}.jsonl`).projectFolder).toBe('-a-b');
    expect(placeOf(`/h/.claude/projects/-a-b/${SESSION}/subagents/agent-a1.jsonl`).projectFolder).toBe('-a-b');
    expect(placeOf('/elsewhere/x.jsonl').projectFolder).toBeUndefined();
  });
});
