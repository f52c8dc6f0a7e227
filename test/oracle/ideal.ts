import { join } from 'node:path';
import { ABSENT, type Item, type Survey, type Transcript } from './claude.ts';
import type { Shown, ShownPart, ShownTurn } from './product.ts';

type Draft<T> = { -readonly [K in keyof T]: T[K] };
export type DraftTurn = Omit<Draft<ShownTurn>, 'parts'> & { parts: Draft<ShownPart>[] };

/** What a product shows that makes no mistake. */
export function ideal(survey: Survey, home: string): Shown[] {
  return survey.transcripts.flatMap((transcript) => {
    const own = transcript.items.filter((item) => !item.inline);
    const inline = transcript.items.filter((item) => item.inline);
    const main = idealSession(transcript, home, transcript.stem, own);
    return inline.length === 0 ? [main] : [main, idealSession(transcript, home, `${transcript.stem}/side`, inline)];
  });
}

function idealSession(transcript: Transcript, home: string, nativeId: string, items: readonly Item[]): Shown {
  const turns: DraftTurn[] = [];
  const calls = new Map<string, Draft<ShownPart>>();
  /** Results that stand before the line of their call. */
  const waiting = new Map<string, Partial<ShownPart>>();
  const turn = (prompt?: string) => {
    const next = { id: `${nativeId}#${turns.length}`, index: turns.length, rewound: false, parts: [] };
    turns.push(prompt === undefined ? next : { ...next, prompt });
  };
  turn();
  const said = new Set<string>();
  for (const item of items) {
    if (ABSENT.has(item.kind)) continue;
    // Hooks may fail with the same words: one notice says them.
    const isSaid = item.kind === 'what a hook said, in a notice' && said.has(`${item.line}:${item.texts.join('\n')}`);
    said.add(`${item.line}:${item.texts.join('\n')}`);
    if (isSaid) continue;
    if (item.opens) turn(asTyped(item));
    const place = { where: { offset: 0, line: item.line } };
    const text = item.texts.join('\n');
    const parts = turns.at(-1)?.parts;
    if (item.type === 'call') {
      const part: Draft<ShownPart> = { type: 'tool_call', name: item.name ?? '', input: item.input, ...place };
      if (item.callId !== undefined) part.call_id = item.callId;
      Object.assign(part, waiting.get(item.callId ?? ''));
      calls.set(item.callId ?? '', part);
      parts?.push(part);
    } else if (item.type === 'output') {
      const call = calls.get(item.callId ?? '');
      const output = { output: text, is_error: item.isError === true, output_where: { offset: 0, line: item.line } };
      if (call !== undefined) Object.assign(call, output);
      else if (item.kind === 'result without its call') parts?.push({ type: 'notice', kind: 'system', text, ...place });
      else waiting.set(item.callId ?? '', output);
    } else if (item.kind === 'command that the model answered, as a prompt') {
      parts?.push({ type: 'text', role: 'user', text: asTyped(item), ...place });
    } else if (item.kind === 'word for word' || item.kind === 'sub-agent known from agent_progress alone') {
      const type = item.type === 'thinking' ? 'thinking' : 'text';
      parts?.push({ type, ...(item.type === 'thinking' ? {} : { role: item.type as 'user' }), text, ...place });
    } else {
      const interruption = item.kind === 'interruption, in a notice';
      const compaction = item.kind === 'summary of a compaction, in a notice';
      parts?.push({
        type: 'notice',
        kind: interruption ? 'interruption' : compaction ? 'compaction' : 'system',
        text,
        ...place,
      });
    }
  }
  const path = join(home, '.claude', 'projects', ...transcript.name.split('/'));
  const session = { id: `claude-code:${nativeId}`, native_id: nativeId, path } as Shown['session'];
  return { session, turns };
}

/** A prompt, or the command that stands for one as it was typed. */
function asTyped({ kind, texts }: Item): string {
  const text = texts.join('\n');
  if (kind !== 'command that the model answered, as a prompt') return text;
  const inside = (name: string) => new RegExp(`<${name}>([\\s\\S]*)</${name}>`).exec(text)?.[1] ?? '';
  return `${inside('command-name')} ${inside('command-args')}`.trim();
}
