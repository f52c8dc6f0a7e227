import { fold } from '../../lexical/words/folding.ts';
import { editDistance } from '../matching/edit-distance.ts';

/** Shorter texts stand at the beginning of too many names. */
const SHORTEST_BEGINNING = 2;

/** The name that was probably meant, of those there are; undefined where none is near. */
export function nearestName(typed: string, names: readonly string[]): string | undefined {
  const wanted = fold(typed);
  const most = wanted.length < 5 ? 1 : 2;
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of names) {
    const known = fold(name);
    const isBeginning = wanted.length >= SHORTEST_BEGINNING && known.startsWith(wanted);
    const distance = isBeginning ? 1 : editDistance(wanted, known, most);
    if (distance <= most && (!best || distance < best.distance)) best = { name, distance };
  }
  return best?.name;
}
