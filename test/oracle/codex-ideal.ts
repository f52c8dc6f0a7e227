import { ABSENT, type CodexSurvey, type Item, OPTIONAL, type Rollout } from './codex.ts';
import type { CodexPart } from './codex-compare.ts';
import type { DraftTurn } from './ideal.ts';
import type { Shown } from './product.ts';

type Part = { -readonly [K in keyof CodexPart]: CodexPart[K] };

/** What a product shows that makes no mistake. */
export function idealCodex(survey: CodexSurvey): { session: Shown['session']; turns: DraftTurn[] }[] {
  return survey.rollouts.map(idealSession);
}

function idealSession(rollout: Rollout) {
  const turns: DraftTurn[] = [];
  const calls = new Map<string, Part>();
  const turn = (prompt?: string) => {
    const next = { id: `${rollout.id}#${turns.length}`, index: turns.length, rewound: false, parts: [] };
    turns.push(prompt === undefined ? next : { ...next, prompt });
  };
  turn();
  for (const item of rollout.items) {
    if (ABSENT.has(item.kind) || OPTIONAL.has(item.kind)) continue;
    const text = item.texts.join('\n');
    if (item.opens) turn(text);
    if (item.type === 'output') {
      const call = calls.get(item.callId ?? '');
      const line = { output_where: { offset: 0, line: item.lines[0] ?? 0 } };
      const exit = item.exitCode === undefined ? {} : { exit_code: item.exitCode };
      if (call !== undefined) Object.assign(call, { output: text, ...line, ...exit });
      else turns.at(-1)?.parts.push(partOf(item, 'notice', text));
      continue;
    }
    const part = item.type === 'call' || item.type === 'work' ? callOf(item) : partOf(item, item.type, text);
    if (item.callId !== undefined && item.type === 'call') calls.set(item.callId, part);
    turns.at(-1)?.parts.push(part);
  }
  return {
    session: { id: `codex:${rollout.id}`, native_id: rollout.id, path: rollout.path } as Shown['session'],
    turns,
  };
}

function partOf(item: Item, type: Item['type'], text: string): Part {
  const place = { text, where: { offset: 0, line: item.lines[0] ?? 0 } };
  if (type === 'thinking') return { type, ...place };
  if (type === 'user' || type === 'assistant') return { type: 'text', role: type, ...place };
  const kind = /^(interruption|compaction)/.exec(item.kind)?.[0] ?? 'system';
  return { type: 'notice', kind, ...place };
}

function callOf(item: Item): Part {
  const { work } = item;
  return {
    type: 'tool_call',
    name: item.names?.[0] ?? work?.tool ?? 'exec',
    input: item.input ?? work?.input ?? null,
    where: { offset: 0, line: item.lines[0] ?? 0 },
    ...(item.callId === undefined ? {} : { call_id: item.callId }),
    ...(work?.command === undefined ? {} : { command: work.command }),
    ...(work?.output === undefined ? {} : { output: work.output }),
    ...(work?.paths === undefined ? {} : { paths: work.paths }),
    ...(work?.exitCode === undefined ? {} : { exit_code: work.exitCode }),
  };
}
