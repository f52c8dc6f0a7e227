import type { SessionFacts } from '../agents/source.ts';

/** Facts with later ones laid over them: single values are replaced, lists united. */
export function mergedFacts(facts: SessionFacts, later: readonly SessionFacts[]): SessionFacts {
  return later.reduce(merge, facts);
}

function merge(a: SessionFacts, b: SessionFacts): SessionFacts {
  return {
    ...a,
    ...b,
    ...(a.titles &&
      b.titles && {
        titles: {
          ...a.titles,
          ...b.titles,
          ...unite('summaries', a.titles.summaries, b.titles.summaries, (s) => s.leaf),
        },
      }),
    ...(a.client && b.client && { client: { ...a.client, ...b.client } }),
    ...unite('roots', a.roots, b.roots, (root) => root),
    ...unite('models', a.models, b.models, (model) => model),
    ...unite('pullRequests', a.pullRequests, b.pullRequests, (request) => request.url),
  };
}

function unite<K extends string, T>(
  name: K,
  a: readonly T[] | undefined,
  b: readonly T[] | undefined,
  key: (item: T) => string,
): { [P in K]?: readonly T[] } {
  if (!a || !b) return {};
  const all = new Map([...a, ...b].map((item) => [key(item), item]));
  const united: { [P in K]?: readonly T[] } = {};
  united[name] = [...all.values()];
  return united;
}
