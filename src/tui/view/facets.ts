import { sourceOf } from '../../agents/registry.ts';
import { formatCount } from '../../render/numbers.ts';
import { oneLine } from '../../render/safe.ts';
import { type Line, span } from '../../render/spans.ts';
import { glyphs, type Style } from '../../render/style.ts';
import type { Area } from '../layout.ts';
import { filterOf, hasFilters, monthFilters } from '../query-text.ts';
import { FACETS, type Facet, facetList, type Picker } from '../state.ts';
import { ends, fitted } from './parts.ts';

const HEADINGS: Readonly<Record<Facet, string>> = { source: 'Agents', project: 'Projects', month: 'Months' };
const GAP = 3;
/** Wider columns would part the names from their counts. */
const WIDEST = 40;

/** How what was found is spread: a column a facet, the chosen line marked. */
export function facetLines(picker: Picker, area: Area, style: Style): Line[] {
  const { answer, facet: chosen, query } = picker;
  const { bar, done } = glyphs(style);
  const width = Math.min(WIDEST, Math.floor((area.columns - GAP * (FACETS.length - 1)) / FACETS.length));
  const rows = Math.max(1, area.rows - 1);
  const columns = FACETS.map((facet, i) => {
    const list = facetList(answer?.facets, facet);
    const isHere = chosen.column === i;
    const top = isHere ? Math.max(0, chosen.row - rows + 1) : 0;
    const lines = list.slice(top, top + rows).map(([name, count], j): Line => {
      const isChosen = isHere && chosen.row === top + j;
      const filters = facet === 'month' ? monthFilters(name) : [filterOf(facet, name)];
      const isOn = hasFilters(query.text, filters);
      const text = facet === 'source' ? (sourceOf(name)?.label ?? name) : name;
      return ends(
        [
          isChosen ? span(`${bar} `, 'cyan', 'bold') : span('  '),
          ...(isOn ? [span(`${done} `, 'green')] : []),
          span(oneLine(text), ...(isChosen ? (['bold', 'cyan'] as const) : [])),
        ],
        [span(formatCount(count), 'dim')],
        width,
        style,
      );
    });
    const empty = list.length === 0 ? [[span('  none', 'dim')]] : [];
    return [[span('  '), span(HEADINGS[facet], 'bold')], ...lines, ...empty];
  });
  const most = Math.max(...columns.map(({ length }) => length));
  return Array.from({ length: most }, (_, row) =>
    columns.flatMap((lines, i) => [
      ...(i > 0 ? [span(' '.repeat(GAP))] : []),
      ...fitted(lines[row] ?? [], width, style),
    ]),
  );
}
