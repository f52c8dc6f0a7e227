/** A name that no object has of its own. */
export const TRIPWIRE = 'tripwire';

/**
 * Does something while every plain object answers to a name that only a file holds: whoever looks one up by it is told, as
 * one who would find `constructor` there.
 */
export async function lookedUp(work: () => Promise<unknown>): Promise<string[]> {
  const places: string[] = [];
  Object.defineProperty(Object.prototype, TRIPWIRE, {
    configurable: true,
    get() {
      places.push(new Error().stack?.split('\n')[2]?.trim() ?? 'somewhere');
      return undefined;
    },
    set() {
      places.push(new Error().stack?.split('\n')[2]?.trim() ?? 'somewhere');
    },
  });
  try {
    await work();
  } finally {
    delete (Object.prototype as Record<string, unknown>)[TRIPWIRE];
  }
  return [...new Set(places)];
}
