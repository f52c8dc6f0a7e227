import type { Source, Unit } from '../../agents/source.ts';
import { type Told, tellsSecrets, toldTexts } from '../../redact/telling.ts';
import type { Notice, Part } from '../../transcript/index.ts';

/** What a command of a person's own printed that prints secrets, at the end of a notice's text. */
interface Printed {
  readonly told: Told;
  readonly printed: string;
}

/** A command as it was typed, and what stands behind it. */
const TYPED = /^! ([^\n]*)(?:\n(.*))?$/s;

/** What a notice tells that such a command printed: behind the command, or where the notice before it is the command alone. */
export function toldByNotice(notice: Notice, before: Part | undefined): Printed | undefined {
  if (notice.kind !== 'command') return undefined;
  const typed = TYPED.exec(notice.text);
  const alone = before?.type === 'notice' && before.kind === 'command' ? TYPED.exec(before.text) : undefined;
  const command = typed ? typed[1] : alone?.[2] === undefined ? alone?.[1] : undefined;
  const told = command === undefined ? undefined : tellsSecrets(command);
  const printed = typed ? (typed[2] ?? '') : notice.text;
  return told && printed !== '' ? { told, printed } : undefined;
}

/**
 * What the commands of a unit printed that print secrets, the longest first. It is in the file and not in what is kept:
 * who shows the file has to hide it. @throws what the reader throws
 */
export async function toldOutputs(source: Source, unit: Unit): Promise<string[]> {
  const calls = new Map<string, Told>();
  const texts = new Set<string>();
  let before: Part | undefined;
  for await (const event of source.read(unit)) {
    if (event.type === 'part') {
      const said = event.part.type === 'notice' ? toldByNotice(event.part, before) : undefined;
      if (said) for (const text of toldTexts(said.printed, said.told, false)) texts.add(text);
      before = event.part;
    }
    if (event.type === 'part' && event.part.type === 'tool_call') {
      const { callId, command } = event.part;
      const told = command === undefined ? undefined : tellsSecrets(command);
      if (told && callId !== undefined) calls.set(callId, told);
    }
    if (event.type !== 'result' || event.result.output === undefined) continue;
    const told = calls.get(event.callId);
    if (told) for (const text of toldTexts(event.result.output, told, event.result.isError)) texts.add(text);
  }
  return [...texts].sort((a, b) => b.length - a.length);
}
