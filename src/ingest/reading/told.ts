import type { Source, Unit } from '../../agents/source.ts';
import { type Told, tellsSecrets, toldTexts } from '../../redact/telling.ts';

/**
 * What the commands of a unit printed that print secrets, the longest first. It is in the file and not in what is kept:
 * who shows the file has to hide it. @throws what the reader throws
 */
export async function toldOutputs(source: Source, unit: Unit): Promise<string[]> {
  const calls = new Map<string, Told>();
  const texts = new Set<string>();
  for await (const event of source.read(unit)) {
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
