import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { SHARED, shared } from './oracle/product.ts';
import { CLI } from './search/program.ts';

/** Small inputs that failed in real use: a program each, and what it must print. */
const CASES: readonly (readonly [name: string, right: readonly (string | RegExp)[], wrong?: RegExp])[] = [
  [
    'case-01-twin-append-loses-turns',
    [
      / \| 4 turns \| [\s\S]*alderbuoy -> 1 [\s\S]*birchbuoy -> 1 [\s\S]*cedarbuoy -> 1 [\s\S]*dogwoodbuoy -> 1 /,
      /-- fresh[\s\S]* \| 4 turns \| [\s\S]*cedarbuoy -> 1 [\s\S]*dogwoodbuoy -> 1 /,
    ],
  ],
  [
    'case-01b-codex-unarchived-copy',
    [
      / \| 4 turns \| /,
      'cedarbuoy -> 1 ',
      'dogwoodbuoy -> 1 ',
      '"codex","resume","aa28a57b-2244-7192-aa5e-a28d6f44010b"',
    ],
  ],
  ['case-02-lone-surrogate', ['{"turns":1,'], /refuses|error/],
  ['case-03-truncated-splice', ['birchbuoy -> 1 ', ' | 3 turns | ', 'dogwoodbuoy -> 1 ', 'piece of a record']],
  [
    'case-05-copies-of-one-session',
    [
      / \| 2 turns \| [\s\S]*"--resume","fea46999-6add-4fb2-ad7d-5505a97b946c"\],"cwd":"\/home\/dev\/projects\/quay"/,
      /-- project folder copied[\s\S]* \| 3 turns \| cwd \/home\/dev\/new [\s\S]*"cwd":"\/home\/dev\/new"/,
    ],
  ],
  [
    'case-06-moved-project',
    ['cd /tmp/portolan-case-new && claude --resume', 'cedarbuoy project:portolan-case-new -> 1 '],
  ],
  ['case-07-ansi-words', ['opens -> 1 ', 'amberword -> 1 ', 'pier.test.ts -> 1 ', '"opens drawbridge" -> 1 ']],
  ['case-08-symbol-query', ['🚢 -> 1 ', '🦀 -> 0 ', '=> -> 0 ', 'cannot be searched for']],
  ['case-09-pasted-log', [/^ties of .* -> 1 /m], / -> 0 /],
  ['case-10-overwritten-transcript', [/birchbuoy -> 1 [\s\S]*birchbuoy -> 1 [\s\S]*yewbuoy -> 1 /]],
  ['case-11-uuid-reused', ['cedarbuoy -> 1 ', ' | 3 turns | ']],
  ['case-12-unreadable', ['"state":"partial"', 'permission denied', 'rc 4', '"state":"unavailable"']],
  ['case-14-implausible-times', [/ \| active 2026-11-2/, 'No session matches'], /9999|1970/],
  ['case-15-words', ['2.1.250 -> 1 ', '"C#" -> 1 ', 'first: The C# client', 'ตารางเวลา -> 1 ', 'softhyphen -> 1 ']],
  ['case-16-orphan-subagent', ['hazelword -> 1 ', 'sub-agent', 'cannot be resumed', 'rc 1'], /claude --resume/],
  ['case-17-slash-only', ['/review-pr 4567 willow berth', 'firlamp -> 1 ']],
  ['case-18-paste-cache', ['doglamp -> 1 ']],
];

describe.skipIf(SHARED === undefined)('what failed in real use', () => {
  for (const [name, right, wrong] of CASES)
    it.concurrent(name, { timeout: 180_000 }, async () => {
      const { stdout } = await promisify(execFile)('bash', ['-c', '"$0" 2>&1; true', shared('cases', `${name}.sh`)], {
        env: { ...process.env, PORTOLAN_BIN: join(CLI, '..', '..', 'bin', 'portolan.mjs') },
      });
      for (const value of right) expect(stdout).toMatch(value);
      if (wrong) expect(stdout).not.toMatch(wrong);
    });
});
