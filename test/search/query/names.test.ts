import { describe, expect, it } from 'vitest';
import { SourceNames } from '../../../src/search/query/names.ts';

describe('the names of sources', () => {
  const names = new SourceNames([
    { id: 'claude-code', label: 'Claude Code' },
    { id: 'gemini-cli', label: 'Gemini CLI' },
    { id: 'vscode-chat', label: 'VS Code Chat' },
    { id: 'vs-old', label: 'VS Old' },
    { id: 'amp', label: 'Amp' },
  ]);

  it.each<[name: string, id: string | undefined]>([
    ['claude-code', 'claude-code'],
    ['Claude Code', 'claude-code'],
    ['CLAUDECODE', 'claude-code'],
    ['claude', 'claude-code'],
    ['  gemini   cli ', 'gemini-cli'],
    ['Amp', 'amp'],
    ['vs code chat', 'vscode-chat'],
    // Two begin so.
    ['vs', undefined],
    ['code', undefined],
    ['', undefined],
    ['constructor', undefined],
  ])('%j names %s', (name, id) => {
    expect(names.idOf(name)).toBe(id);
  });

  it('are found as long as they are', () => {
    const words = 'in claude code or vs code chat'.split(' ');
    expect(names.at(words, 1)).toEqual({ id: 'claude-code', length: 2 });
    expect(names.at(words, 4)).toEqual({ id: 'vscode-chat', length: 3 });
    expect(names.at(words, 2)).toBeUndefined();
    expect(names.at(words, 9)).toBeUndefined();
  });

  it('may be none', () => {
    expect(new SourceNames([]).at(['in', 'codex'], 1)).toBeUndefined();
  });
});
