import type { Key } from './keys.ts';
import { itemsOn, layoutOf, readerHeight } from './layout.ts';
import { edit, edited } from './line-editor.ts';
import type { Size } from './paint.ts';
import { filterOf, monthFilters, toggleFilters, toggleStarred, withoutFilters } from './query-text.ts';
import { openReader, readKey, resizedReader, scanned } from './reader/reader.ts';
import {
  type Answer,
  type Copied,
  type Effect,
  type Event,
  FACETS,
  FIRST_ITEMS,
  facetList,
  isBehind,
  type Next,
  type Picker,
  selectedItem,
} from './state.ts';

/** The picker as it opens, and its first question. */
export function opened(size: Size): Next {
  const picker: Picker = {
    size,
    focus: 'query',
    query: edited(''),
    asked: 0,
    selected: 0,
    top: 0,
    hasPreview: true,
    facet: { column: 0, row: 0 },
    isHelping: false,
    isCopying: false,
  };
  return ask(picker);
}

/** What comes of an event. It knows nothing of terminals and databases. */
export function update(picker: Picker, event: Event): Next {
  switch (event.type) {
    case 'key':
      return pressed(calm(picker), event.key);
    case 'resized':
      return resized(picker, event.size);
    case 'answered':
      return answered(picker, event.answer);
    case 'failed':
      return same(event.number === picker.asked ? failed(picker, event.reason) : picker);
    case 'counted':
      return event.number === picker.answer?.number
        ? same({ ...picker, answer: { ...picker.answer, facets: event.facets } })
        : same(picker);
    case 'previewed':
      return same(selectedItem(picker) === event.preview.item ? { ...picker, preview: event.preview } : picker);
    case 'opened':
      return same({ ...picker, reader: openReader({ ...event.opening, height: readerHeight(picker.size) }) });
    case 'starred':
      return same(starred(picker, event.id, event.isStarred));
    case 'located':
      return located(picker, event.project);
    case 'refreshed':
      return again(picker);
    case 'scanned':
      return picker.reader ? scanning({ ...picker, reader: scanned(picker.reader) }) : same(picker);
    case 'told':
      return same({ ...picker, message: event.message });
  }
}

const same = (picker: Picker): Next => ({ picker, effects: [] });
const doing = (picker: Picker, ...effects: Effect[]): Next => ({ picker, effects });

function pressed(picker: Picker, key: Key): Next {
  switch (key.name) {
    case 'ctrl-c':
      return doing(picker, { type: 'quit', code: 130 });
    case 'ctrl-z':
      return doing(picker, { type: 'suspend' });
    case 'f1':
      return same({ ...picker, isHelping: !picker.isHelping });
  }
  if (picker.isHelping) return same({ ...picker, isHelping: false });
  if (picker.isCopying) return copying({ ...picker, isCopying: false }, key);
  if (picker.reader) return inReader(picker, key);
  if (picker.focus === 'facets') return inFacets(picker, key);
  return common(picker, key) ?? (picker.focus === 'query' ? inQuery(picker, key) : inList(picker, key));
}

/** Keys for the chosen item. Pressed before the answer is here they are meant for what it finds, unless one was chosen. */
const FOR_ITEM: ReadonlySet<string> = new Set(['enter', 'ctrl-r', 'ctrl-s', 'ctrl-y']);

/** Keys that mean the same while typing and in the list. */
function common(picker: Picker, key: Key): Next | undefined {
  if (FOR_ITEM.has(key.name) && isBehind(picker) && picker.selected === 0) return same({ ...picker, waiting: key });
  const item = selectedItem(picker);
  const screen = itemsOn(layoutOf(picker.size, picker.hasPreview));
  switch (key.name) {
    case 'up':
    case 'ctrl-p':
      return moved(picker, -1);
    case 'down':
    case 'ctrl-n':
      return moved(picker, 1);
    case 'pageup':
      return moved(picker, -screen);
    case 'pagedown':
      return moved(picker, screen);
    case 'enter':
      return item ? doing(picker, { type: 'open', item, scope: 'session' }) : same(picker);
    case 'ctrl-r':
      return item ? doing(picker, { type: 'resume', item }) : same(picker);
    case 'ctrl-s':
      return item ? doing(picker, { type: 'star', item }) : same(picker);
    case 'ctrl-y':
      return item ? same({ ...picker, isCopying: true }) : same(picker);
    case 'ctrl-t':
      return doing(picker, { type: 'locate' });
    case 'ctrl-g':
      return asking(picker, toggleStarred(picker.query.text));
    case 'ctrl-o':
      return reframed({ ...picker, hasPreview: !picker.hasPreview });
    case 'ctrl-f':
      return openFacets(picker);
    case 'ctrl-x':
      return asking(picker, withoutFilters(picker.query.text));
    case 'ctrl-l':
      return again(picker);
    default:
      return undefined;
  }
}

function inQuery(picker: Picker, key: Key): Next {
  if (key.name === 'escape' || key.name === 'tab') return same({ ...picker, focus: 'list' });
  if (picker.query.text === '' && key.name === '?') return same({ ...picker, isHelping: true });
  if (picker.query.text === '' && key.name === 'ctrl-d') return doing(picker, { type: 'quit', code: 0 });
  const query = edit(picker.query, key);
  if (!query) return same(picker);
  return query.text === picker.query.text ? same({ ...picker, query }) : ask({ ...picker, query });
}

/** The keys of one letter, as the ones with Ctrl that also work while typing. */
const LETTERS: Readonly<Record<string, string>> = {
  j: 'down',
  k: 'up',
  ' ': 'pagedown',
  b: 'pageup',
  l: 'enter',
  r: 'ctrl-r',
  s: 'ctrl-s',
  y: 'ctrl-y',
  t: 'ctrl-t',
  v: 'ctrl-o',
  f: 'ctrl-f',
  x: 'ctrl-x',
  '*': 'ctrl-g',
};

function inList(picker: Picker, key: Key): Next {
  const meant = LETTERS[key.name];
  if (meant !== undefined) return common(picker, { name: meant }) ?? same(picker);
  switch (key.name) {
    case 'g':
    case 'home':
      return moved(picker, -picker.selected);
    case 'G':
    case 'end':
      return moved(picker, picker.answer?.items.length ?? 0);
    case '/':
    case 'i':
    case 'tab':
    case 'backtab':
      return same({ ...picker, focus: 'query' });
    case '?':
      return same({ ...picker, isHelping: true });
    case 'q':
    case 'escape':
      return doing(picker, { type: 'quit', code: 0 });
    default:
      return same(picker);
  }
}

function copying(picker: Picker, key: Key): Next {
  const item = picker.reader ? picker.reader.item : selectedItem(picker);
  const kinds: Readonly<Record<string, Copied>> = {
    c: 'command',
    y: 'command',
    i: 'id',
    t: 'text',
    'ctrl-y': 'command',
  };
  const what = kinds[key.name];
  return item && what ? doing(picker, { type: 'copy', item, what }) : same(picker);
}

function inReader(picker: Picker, key: Key): Next {
  const { reader } = picker;
  if (!reader) return same(picker);
  const next = readKey(reader, key);
  if (next) return scanning({ ...picker, reader: next });
  const { item } = reader;
  switch (key.name) {
    case 'q':
    case 'escape':
    case 'h':
    case 'left':
      return preview(closed(picker));
    case '?':
      return same({ ...picker, isHelping: true });
    case 'y':
    case 'ctrl-y':
      return same({ ...picker, isCopying: true });
    case 's':
    case 'ctrl-s':
      return doing(picker, { type: 'star', item });
    case 'r':
    case 'ctrl-r':
      return doing(picker, { type: 'resume', item });
    case 't':
      return item.turn === undefined
        ? same(picker)
        : doing(picker, { type: 'open', item, scope: reader.scope === 'turn' ? 'session' : 'turn' });
    default:
      return same(picker);
  }
}

/** A search in the reader that needs more time goes on after the keys that wait. */
function scanning(picker: Picker): Next {
  return picker.reader?.scan ? doing(picker, { type: 'scan' }) : same(picker);
}

function openFacets(picker: Picker): Next {
  const { answer } = picker;
  const shown: Picker = { ...picker, focus: 'facets', facet: { column: 0, row: 0 } };
  return answer && !answer.facets
    ? doing(shown, { type: 'facets', text: answer.text, number: answer.number })
    : same(shown);
}

function inFacets(picker: Picker, key: Key): Next {
  const { column, row } = picker.facet;
  const lists = FACETS.map((facet) => facetList(picker.answer?.facets, facet));
  const at = (to: number, line: number): Next => {
    const next = Math.max(0, Math.min(FACETS.length - 1, to));
    const last = Math.max(0, lists[next]!.length - 1);
    return same({ ...picker, facet: { column: next, row: Math.max(0, Math.min(line, last)) } });
  };
  switch (key.name) {
    case 'up':
    case 'k':
      return at(column, row - 1);
    case 'down':
    case 'j':
      return at(column, row + 1);
    case 'left':
    case 'h':
    case 'backtab':
      return at(column - 1, row);
    case 'right':
    case 'l':
    case 'tab':
      return at(column + 1, row);
    case 'enter':
    case ' ': {
      const facet = FACETS[column]!;
      const name = lists[column]![row]?.[0];
      if (name === undefined) return same(picker);
      const filters = facet === 'month' ? monthFilters(name) : [filterOf(facet, name)];
      return asking({ ...picker, focus: 'list' }, toggleFilters(picker.query.text, filters));
    }
    default:
      return same({ ...picker, focus: 'list' });
  }
}

/** Only what belongs to the folder's project, or no longer. */
function located(picker: Picker, project: string | undefined): Next {
  if (project === undefined) return same({ ...picker, message: { text: 'There is no history of this folder.' } });
  return asking(picker, toggleFilters(picker.query.text, [filterOf('project', project)]));
}

/** Asks for another text. */
const asking = (picker: Picker, text: string): Next => ask({ ...picker, query: edited(text) });

function ask(picker: Picker): Next {
  const number = picker.asked + 1;
  const next = { ...picker, asked: number, selected: 0, top: 0 };
  return doing(next, { type: 'ask', number, text: picker.query.text, limit: FIRST_ITEMS });
}

/** Asks the same once more, for more items or because there is something new; the selection stays. */
function again(picker: Picker, limit = picker.answer?.limit ?? FIRST_ITEMS): Next {
  const number = picker.asked + 1;
  return doing({ ...picker, asked: number }, { type: 'ask', number, text: picker.query.text, limit });
}

function answered(picker: Picker, answer: Answer): Next {
  // An answer to an earlier question never takes the place of a later one's.
  if (answer.number !== picker.asked) return same(picker);
  // What is shown stays until there is something to show instead.
  if (answer.isPartial && answer.items.length === 0) return same(picker);
  const chosen = picker.selected > 0 ? selectedItem(picker)?.id : undefined;
  const found = chosen === undefined ? -1 : answer.items.findIndex(({ id }) => id === chosen);
  const selected = found >= 0 ? found : Math.max(0, Math.min(picker.selected, answer.items.length - 1));
  const next = reframed({ ...picker, answer, selected });
  const { waiting } = picker;
  if (!waiting || answer.isPartial) return next;
  const done = pressed(calm(next.picker), waiting);
  return { picker: done.picker, effects: [...next.effects, ...done.effects] };
}

/** What is shown stays, and is taken for the answer: there will be no other. */
function failed(picker: Picker, reason: string): Picker {
  const message = { text: reason, isError: true };
  const { answer } = picker;
  return { ...calm(picker), message, ...(answer && { answer: { ...answer, number: picker.asked, isPartial: false } }) };
}

function moved(picker: Picker, by: number): Next {
  const { answer } = picker;
  if (!answer || answer.items.length === 0) return same(picker);
  const selected = Math.max(0, Math.min(answer.items.length - 1, picker.selected + by));
  const next = reframed({ ...picker, selected });
  const isMore = answer.items.length >= answer.limit && selected >= answer.items.length - 10;
  if (!isMore || answer.number !== picker.asked) return next;
  const more = again(next.picker, answer.limit * 3);
  return { picker: more.picker, effects: [...next.effects, ...more.effects] };
}

/** The list scrolled so that the selection is on it, and the selection's preview asked for. */
function reframed(picker: Picker): Next {
  const screen = itemsOn(layoutOf(picker.size, picker.hasPreview));
  const most = Math.max(0, (picker.answer?.items.length ?? 0) - screen);
  const top = Math.max(Math.min(picker.top, picker.selected, most), picker.selected - screen + 1);
  return preview({ ...picker, top });
}

function preview(picker: Picker): Next {
  const item = selectedItem(picker);
  const isWanted = item && picker.preview?.item !== item && layoutOf(picker.size, picker.hasPreview).preview;
  return isWanted ? doing(picker, { type: 'preview', item }) : same(picker);
}

function resized(picker: Picker, size: Size): Next {
  const { preview: _, ...rest } = picker;
  const { reader } = picker;
  const resizedPicker: Picker = {
    ...rest,
    size,
    ...(reader && {
      reader: resizedReader(
        reader,
        reader.document.withStyle(readerStyle(reader.document.options.style, size.columns)),
        readerHeight(size),
      ),
    }),
  };
  return reframed(resizedPicker);
}

/** A style for the reader's text: its first column is the cursor's. */
export const readerStyle = <S extends { readonly width: number }>(style: S, columns: number): S => ({
  ...style,
  width: Math.max(24, columns - 1),
});

function starred(picker: Picker, id: string, isStarred: boolean): Picker {
  const mark = <T extends { readonly id: string }>(item: T): T => (item.id === id ? { ...item, isStarred } : item);
  const { answer, reader } = picker;
  return {
    ...picker,
    message: { text: isStarred ? 'Starred.' : 'No longer starred.' },
    ...(answer && { answer: { ...answer, items: answer.items.map(mark) } }),
    ...(reader && { reader: { ...reader, item: mark(reader.item) } }),
  };
}

function closed(picker: Picker): Picker {
  const { reader: _, ...rest } = picker;
  return rest;
}

/** The picker before a key: without what the one before said, or waited for. */
function calm(picker: Picker): Picker {
  const { message: _, waiting: __, ...rest } = picker;
  return rest;
}
