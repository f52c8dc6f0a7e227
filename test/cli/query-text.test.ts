import { describe, expect, it } from 'vitest';
import { queryText } from '../../src/cli/query-text.ts';

describe('arguments as a query', () => {
  it.each<[args: string[], text: string]>([
    [[], ''],
    [['lamp'], 'lamp'],
    [['lamp', 'rope'], 'lamp rope'],
    [['lamp rope'], 'lamp rope'],
    [['"red buoy" -lamp'], '"red buoy" -lamp'],
    [['red buoy', 'lamp'], '"red buoy" lamp'],
    [['lamp', 'project:My Harbor'], 'lamp project:"My Harbor"'],
    [['lamp', '-project:My Harbor'], 'lamp -project:"My Harbor"'],
    [['since:last friday', 'lamp'], 'since:"last friday" lamp'],
    [['lamp', 'source:codex rope'], 'lamp source:"codex rope"'],
    [['lamp', 'rope source:codex'], 'lamp rope source:codex'],
    [['lamp', '(red OR green)'], 'lamp (red OR green)'],
    [['lamp', 'red OR green'], 'lamp red OR green'],
    [['lamp', '"red buoy"'], 'lamp "red buoy"'],
  ])('%j', (args, text) => {
    expect(queryText(args)).toBe(text);
  });
});
