import type { SessionRow } from '../../archive/rows.ts';
import { undressed } from '../../transcript/dressing.ts';
import type { TitleFrom } from '../../transcript/index.ts';

/** A title is one line of at most this many characters. */
const LONGEST = 120;

/** The name to show: what the user called it, else the agent, else a summary, else the first real prompt. */
export function titleOf(
  row: SessionRow,
  names: readonly string[],
): { readonly text: string; readonly from: TitleFrom } | undefined {
  const given = row.facts.titles;
  if (given?.user !== undefined) return { text: line(given.user), from: 'user' };
  const agents = names[0];
  if (agents !== undefined) return { text: line(agents), from: 'agent' };
  return row.firstPrompt === undefined ? undefined : { text: line(row.firstPrompt), from: 'first-prompt' };
}

function line(text: string): string {
  const flat = undressed(text).replace(/\s+/g, ' ').trim();
  if (flat.length <= LONGEST) return flat;
  const cut = flat.slice(0, LONGEST - 1);
  const space = cut.lastIndexOf(' ');
  return `${(space > LONGEST / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}
