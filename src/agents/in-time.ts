/** A source that says nothing for so long hangs. */
const PATIENCE_MS = 30_000;

/** What something gives, one after the other. @throws where the next one does not come within so many milliseconds */
export async function* inTime<T>(
  given: Iterable<T> | AsyncIterable<T>,
  patience = PATIENCE_MS,
): AsyncGenerator<T, void, undefined> {
  if (Symbol.iterator in given) {
    yield* given;
    return;
  }
  const from = given[Symbol.asyncIterator]();
  for (;;) {
    let timer: NodeJS.Timeout | undefined;
    const hangs = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`nothing came for ${patience / 1000} seconds`)), patience);
    });
    try {
      const next = await Promise.race([from.next(), hangs]);
      if (next.done) return;
      yield next.value;
    } finally {
      clearTimeout(timer);
    }
  }
}
