import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig, readSettings, writeSettings } from '../../src/home/config.ts';
import { homeOf } from '../../src/home/paths.ts';
import { keepOf } from '../../src/home/settings.ts';
import { temporaryFolder } from '../support/folders.ts';

const homeWith = (content?: string) => {
  const home = homeOf({ PORTOLAN_HOME: join(temporaryFolder(), 'portolan') });
  writeSettings(home, new Map());
  if (content !== undefined) writeFileSync(home.config, content);
  return home;
};

describe('the configuration', () => {
  it('has a value for everything where nothing is set', () => {
    const nothing = readConfig(homeOf({ PORTOLAN_HOME: join(temporaryFolder(), 'none') }));
    expect(nothing).toEqual({
      exclude: { sources: [], projects: [], paths: [], sessions: [] },
      sources: { insideRepositories: [], modules: [] },
      keep: 'forever',
      redaction: { patterns: [], allow: [] },
      projects: { aliases: {}, families: {} },
      log: 'errors',
    });
  });

  it('reads what was written, from a file that only its owner can read', () => {
    const home = homeWith();
    const values = new Map<string, string | string[] | Record<string, string[]>>([
      ['exclude.paths', ['~/private']],
      ['exclude.projects', ['diary']],
      ['keep', '90 days'],
      ['projects.families', { harbour: ['pier', 'quay'] }],
    ]);
    writeSettings(home, values);
    expect(readSettings(home)).toEqual(values);
    expect(readConfig(home)).toMatchObject({
      exclude: { paths: ['~/private'], projects: ['diary'], sources: [] },
      keep: { days: 90 },
      projects: { families: { harbour: ['pier', 'quay'] } },
    });
    expect(statSync(home.config).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['{"exclude": {"path": ["/a"]}}', /“exclude.path”: there is no such setting/],
    ['{"exlude": {}}', /“exlude”: there is no such setting/],
    ['{"exclude": ["/a"]}', /“exclude”: it must be an object/],
    ['{"exclude": {"paths": "/a"}}', /“exclude.paths”: it must be a list of strings/],
    ['{"exclude": {"paths": ["a/b"]}}', /“exclude.paths”: it must be absolute/],
    ['{"exclude": {"projects": [""]}}', /“exclude.projects”: it is empty/],
    ['{"keep": "a while"}', /“keep”: it must be “forever”/],
    ['{"redaction": {"patterns": ["(("]}}', /“redaction.patterns”: Invalid regular expression/],
    ['{"projects": {"aliases": {"a": 1}}}', /“projects.aliases”: it must map each name to a string/],
    ['{"projects": {"families": {"a": "b"}}}', /“projects.families”: it must map each name to a list/],
    ['{"log": 1}', /“log”: it must be a text/],
    ['[]', /is not a settings object/],
    ['{', /is not valid JSON/],
  ])('refuses %s', (content, message) => {
    const home = homeWith(content);
    expect(() => readConfig(home)).toThrow(message);
    expect(() => readConfig(home)).toThrow(ConfigError);
  });

  it.each([
    ['forever', 'forever'],
    ['As the agent', 'as the agent'],
    ['90 days', { days: 90 }],
    ['1 day', { days: 1 }],
    ['30d', { days: 30 }],
    ['0 days', { days: 0 }],
    ['days', undefined],
    ['-3 days', undefined],
    ['', undefined],
  ])('keeps “%s” as %o', (text, keep) => {
    expect(keepOf(text)).toEqual(keep);
  });
});
