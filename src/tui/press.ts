import { type Completing, completed, turned } from './completing.ts';
import type { Key } from './keys.ts';
import { itemsOn, layoutOf } from './layout.ts';
import { edit } from './line-editor.ts';
import { filterOf, monthFilters, toggleFilters, toggleStarred, withoutFilters } from './query-text.ts';
import { isLooking, readKey } from './reader/reader.ts';
import { type Copied, FACETS, facetList, isBehind, type Next, type Picker, selectedItem } from './state.ts';
import { again, ask, asking, doing, moved, preview, reframed, same } from './steps.ts';

/** What comes of a key. */
export function pressed(picker: Picker, key: Key): Next {
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
    case 'alt-down':
    case 'alt-j':
      return same(previewScrolled(picker, PREVIEW_STEP));
    case 'alt-up':
    case 'alt-k':
      return same(previewScrolled(picker, -PREVIEW_STEP));
    case 'alt-a':
      return item?.turn === undefined
        ? same(picker)
        : asking(picker, toggleFilters(picker.query.text, [filterOf('session', item.session)]));
    case 'ctrl-l':
      return again(picker);
    default:
      return undefined;
  }
}

/** Lines that the preview moves by. */
const PREVIEW_STEP = 5;

function previewScrolled(picker: Picker, lines: number): Picker {
  const { preview } = picker;
  if (!preview) return picker;
  return { ...picker, preview: { ...preview, top: preview.document.step(preview.top, lines, preview.folds) } };
}

function inQuery(picker: Picker, key: Key): Next {
  const { completing } = picker;
  if (key.name === 'tab' || key.name === 'backtab') {
    if (completing) return completeWith(picker, turned(completing, key.name === 'tab' ? 1 : -1));
    return key.name === 'tab' ? doing(picker, { type: 'complete', line: picker.query }) : same(picker);
  }
  if (completing && key.name === 'escape') return ask({ ...ended(picker), query: completing.before });
  if (completing) return inQuery(ended(picker), key);
  if (key.name === 'escape') return same({ ...picker, focus: 'list' });
  if (picker.query.text === '' && key.name === '?') return same({ ...picker, isHelping: true });
  if (picker.query.text === '' && key.name === 'ctrl-d') return doing(picker, { type: 'quit', code: 0 });
  const query = edit(picker.query, key);
  if (!query) return same(picker);
  return query.text === picker.query.text ? same({ ...picker, query }) : ask({ ...picker, query });
}

/** What may stand for the word at the cursor: the first of it stands there at once. */
export function offered(picker: Picker, offer: Omit<Completing, 'at'>): Next {
  if (offer.options.length === 0) return same({ ...picker, message: { text: 'Nothing to complete here.' } });
  return completeWith(picker, { ...offer, at: 0 });
}

const completeWith = (picker: Picker, completing: Completing): Next =>
  ask({ ...picker, completing, query: completed(completing) });

function ended(picker: Picker): Picker {
  const { completing: _, ...rest } = picker;
  return rest;
}

/** The keys of one letter, as the ones with Ctrl that also work while typing. */
const LETTERS: ReadonlyMap<string, string> = new Map([
  ['j', 'down'],
  ['k', 'up'],
  [' ', 'pagedown'],
  ['b', 'pageup'],
  ['l', 'enter'],
  ['a', 'alt-a'],
  ['r', 'ctrl-r'],
  ['s', 'ctrl-s'],
  ['y', 'ctrl-y'],
  ['t', 'ctrl-t'],
  ['v', 'ctrl-o'],
  ['f', 'ctrl-f'],
  ['x', 'ctrl-x'],
  ['*', 'ctrl-g'],
  ['J', 'alt-down'],
  ['K', 'alt-up'],
]);

function inList(picker: Picker, key: Key): Next {
  const meant = LETTERS.get(key.name);
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
    case 'escape':
      return same({ ...picker, focus: 'query' });
    case 'q':
      return doing(picker, { type: 'quit', code: 0 });
    default:
      return same(picker);
  }
}

function copying(picker: Picker, key: Key): Next {
  const item = picker.reader ? picker.reader.item : selectedItem(picker);
  const kinds: ReadonlyMap<string, Copied> = new Map([
    ['c', 'command'],
    ['y', 'command'],
    ['i', 'id'],
    ['t', 'text'],
    ['ctrl-y', 'command'],
  ]);
  const what = kinds.get(key.name);
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
      return picker.isReaderAlone ? doing(picker, { type: 'quit', code: 0 }) : preview(closed(picker));
    case 'escape':
    case 'h':
    case 'left':
      return picker.isReaderAlone ? ask(closed(picker)) : preview(closed(picker));
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
export function scanning(picker: Picker): Next {
  return picker.reader && isLooking(picker.reader) ? doing(picker, { type: 'scan' }) : same(picker);
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

function closed(picker: Picker): Picker {
  const { reader: _, isReaderAlone: __, ...rest } = picker;
  return rest;
}
