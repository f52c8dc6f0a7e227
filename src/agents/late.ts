import type { Checkpoint, SourceEvent, Unit } from './source.ts';

type Read = (unit: Unit, from?: Checkpoint) => AsyncIterable<SourceEvent>;

/** A reader whose code is loaded with the first unit that it reads: most programs only answer from what was read. */
export function readLate(load: () => Promise<{ readonly read: Read }>): Read {
  return (unit, from) => ({
    [Symbol.asyncIterator]() {
      let events: AsyncIterator<SourceEvent> | undefined;
      const begin = async () => {
        const { read } = await load();
        events = read(unit, from)[Symbol.asyncIterator]();
        return events.next();
      };
      return {
        next: () => events?.next() ?? begin(),
        return: () => events?.return?.() ?? Promise.resolve({ done: true, value: undefined }),
      };
    },
  });
}
