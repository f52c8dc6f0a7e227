import { SOURCES } from '../agents/registry.ts';
import type { Caller } from './tool.ts';

type Named = Readonly<Record<string, unknown>>;

/** The session that asks, where its agent tells: what stands in the call is nearer than the environment. */
export function callerOf(meta: Named, variables: Named): Caller | undefined {
  for (const told of [meta, {}])
    for (const source of SOURCES) {
      const nativeId = source.caller?.(told, told === meta ? {} : variables);
      if (typeof nativeId === 'string' && nativeId !== '') return { source: source.id, nativeId };
    }
  return undefined;
}
