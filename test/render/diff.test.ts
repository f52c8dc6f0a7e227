import { describe, expect, test } from 'vitest';
import { renderDiff } from '../../src/render/diff.ts';
import { callDiffs, parsePatch } from '../../src/transcript/changes.ts';
import { lineDiff, withContext } from '../../src/transcript/linediff.ts';
import { aCall } from './samples.ts';

const PLAIN = { color: false, width: 80 };

describe('lineDiff', () => {
  test('finds the shortest way between two texts', () => {
    const diff = lineDiff(['a', 'b', 'c', 'd'], ['a', 'x', 'c', 'y', 'd']);
    expect(diff.map(({ sign, text }) => sign + text)).toEqual([' a', '-b', '+x', ' c', '+y', ' d']);
  });

  test('always leads from the one to the other', () => {
    let seed = 7;
    const random = (n: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % n;
    };
    for (let round = 0; round < 300; round++) {
      const make = () => Array.from({ length: random(12) }, () => 'abcd'[random(4)]!);
      const [a, b] = [make(), make()];
      const diff = lineDiff(a, b);
      expect(diff.filter((line) => line.sign !== '+').map((line) => line.text)).toEqual(a);
      expect(diff.filter((line) => line.sign !== '-').map((line) => line.text)).toEqual(b);
    }
  });

  test('does not take long over large texts that share nothing', () => {
    const started = performance.now();
    const make = (sign: string) => Array.from({ length: 30_000 }, (_, i) => `${sign}${i}`);
    expect(lineDiff(make('a'), make('b'))).toHaveLength(60_000);
    expect(performance.now() - started).toBeLessThan(2000);
  });

  test('shows three lines around a change and a mark between hunks', () => {
    const before = Array.from({ length: 30 }, (_, i) => `line ${i}`);
    const after = before.map((line, i) => (i === 5 || i === 20 ? `${line}!` : line));
    const shown = withContext(lineDiff(before, after));
    expect(shown.filter((line) => line.sign === '@')).toHaveLength(1);
    expect(shown[0]).toEqual({ sign: ' ', text: 'line 2' });
  });
});

describe('the change of a tool call', () => {
  test('an edit of old and new text', () => {
    const [diff] = callDiffs(
      aCall({
        kind: 'edit',
        input: {
          file_path: 'src/cache.js',
          old_string: '  close() { this.map.clear(); }',
          new_string:
            "  close() {\n    bus.off('invalidate', this.onInvalidate); // ivory-petrel-mooring\n    this.map.clear();\n  }",
        },
      }),
    );
    expect(diff).toMatchObject({ path: 'src/cache.js', change: 'edit', added: 4, removed: 1 });
    expect(renderDiff(diff!, PLAIN)).toBe(
      "-   close() { this.map.clear(); }\n+   close() {\n+     bus.off('invalidate', this.onInvalidate); // ivory-petrel-mooring\n+     this.map.clear();\n+   }",
    );
  });

  test('several edits of one file, and a file written whole', () => {
    const edits = [
      { old_string: 'a', new_string: 'b' },
      { old_string: 'c', new_string: '' },
    ];
    expect(callDiffs(aCall({ kind: 'edit', input: { file_path: 'x', edits } }))[0]).toMatchObject({
      added: 1,
      removed: 2,
    });
    const content = '-- opal-cormorant-lighthouse\nCREATE INDEX entry_month ON entry(account, month);\n';
    expect(callDiffs(aCall({ kind: 'write', input: { file_path: 'x.sql', content } }))[0]).toMatchObject({
      change: 'create',
      added: 2,
      removed: 0,
    });
  });

  test('a patch in the form of apply_patch, wherever it stands', () => {
    const patch =
      '*** Begin Patch\n*** Update File: src/a.ts\n@@ fn\n a\n-b\n+c\n*** Add File: b.md\n+hello\n*** End Patch';
    for (const input of [patch, { input: patch }, { command: ['apply_patch', patch] }]) {
      expect(
        callDiffs(aCall({ kind: 'edit', input })).map(({ path, change, added, removed }) => [
          path,
          change,
          added,
          removed,
        ]),
      ).toEqual([
        ['src/a.ts', 'edit', 1, 1],
        ['b.md', 'create', 1, 0],
      ]);
    }
  });

  test('a patch as git prints it', () => {
    const [diff] = parsePatch(
      'diff --git a/x.ts b/x.ts\nindex 1..2 100644\n--- a/x.ts\n+++ b/x.ts\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n',
    );
    expect(diff).toMatchObject({ path: 'x.ts', change: 'edit', added: 1, removed: 1 });
    expect(renderDiff(diff!, PLAIN)).toBe('@@ -1,2 +1,2 @@\n  a\n- b\n+ c');
  });

  test('a long one is folded, and whole when asked', () => {
    const [diff] = callDiffs(aCall({ kind: 'write', input: { file_path: 'x', content: 'line\n'.repeat(100) } }));
    expect(renderDiff(diff!, PLAIN).split('\n')).toHaveLength(21);
    expect(renderDiff(diff!, PLAIN)).toContain('… 80 lines more (--full)');
    expect(renderDiff(diff!, PLAIN, { full: true }).split('\n')).toHaveLength(100);
  });

  test('other calls have none', () => {
    for (const input of [null, 3, 'ls', ['ls'], {}, { command: 'ls' }])
      expect(callDiffs(aCall({ kind: 'shell', input }))).toEqual([]);
  });
});
