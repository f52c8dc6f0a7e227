import type { Item } from './item.ts';
import { readerHeight } from './layout.ts';
import { edited } from './line-editor.ts';
import type { Size } from './paint.ts';
import { offered, pressed, scanning } from './press.ts';
import { filterOf, toggleFilters } from './query-text.ts';
import { grown, openReader, type Reader, resizedReader, scanned } from './reader/reader.ts';
import { type Answer, type Event, type Next, type Picker, selectedItem } from './state.ts';
import { again, ask, asking, calm, doing, reframed, same } from './steps.ts';

/** What the picker opens with: words that are looked for, or a session that is read at once. */
export type Start = { readonly type: 'search'; readonly text: string } | { readonly type: 'read'; readonly item: Item };

/** The picker as it opens, and its first question. */
export function opened(size: Size, start: Start = { type: 'search', text: '' }): Next {
  const picker: Picker = {
    size,
    focus: 'query',
    query: edited(start.type === 'search' ? start.text : ''),
    asked: 0,
    selected: 0,
    top: 0,
    hasPreview: true,
    facet: { column: 0, row: 0 },
    isHelping: false,
    isCopying: false,
  };
  if (start.type === 'search') return ask(picker);
  return doing({ ...picker, isReaderAlone: true }, { type: 'open', item: start.item, scope: 'session' });
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
    case 'offered':
      return event.completing.before === picker.query ? offered(picker, event.completing) : same(picker);
    case 'previewed':
      return same(selectedItem(picker) === event.preview.item ? { ...picker, preview: event.preview } : picker);
    case 'opened':
      return openedReader(picker, openReader({ ...event.opening, height: readerHeight(picker.size) }));
    case 'matched':
      return same(
        picker.reader?.item.session === event.session
          ? { ...picker, reader: { ...picker.reader, hits: event.turns } }
          : picker,
      );
    case 'starred':
      return same(starred(picker, event.id, event.isStarred));
    case 'located':
      return located(picker, event.project);
    case 'refreshed':
      return refreshed(picker);
    case 'reread':
      return same(
        picker.reader?.document === event.before ? { ...picker, reader: grown(picker.reader, event.document) } : picker,
      );
    case 'scanned':
      return picker.reader ? scanning({ ...picker, reader: scanned(picker.reader) }) : same(picker);
    case 'told':
      return same({ ...picker, message: event.message });
  }
}

/** The reader, and the question which other turns of its session were found with the one it was opened for. */
function openedReader(picker: Picker, reader: Reader): Next {
  const { answer } = picker;
  const isFound = answer?.kind === 'turns' && reader.matcher !== undefined;
  const shown: Picker = { ...picker, reader };
  return isFound ? doing(shown, { type: 'match', session: reader.item.session, text: answer.text }) : same(shown);
}

/** Only what belongs to the folder's project, or no longer. */
function located(picker: Picker, project: string | undefined): Next {
  if (project === undefined) return same({ ...picker, message: { text: 'There is no history of this folder.' } });
  return asking(picker, toggleFilters(picker.query.text, [filterOf('project', project)]));
}

function answered(picker: Picker, answer: Answer): Next {
  // An answer to an earlier question never takes the place of a later one's.
  if (answer.number !== picker.asked) return same(picker);
  // What is shown stays until there is something to show instead.
  if (answer.isPartial && answer.items.length === 0) return same(picker);
  const chosen = picker.selected > 0 ? selectedItem(picker)?.id : undefined;
  const found = chosen === undefined ? -1 : answer.items.findIndex(({ id }) => id === chosen);
  const selected = found >= 0 ? found : Math.max(0, Math.min(picker.selected, answer.items.length - 1));
  const fresh = (picker.fresh ?? 0) + freshIn(picker.answer, answer);
  const next = reframed({ ...picker, answer, selected, ...(fresh > 0 && { fresh }) });
  const { waiting } = picker;
  if (!waiting || answer.isPartial) return next;
  const done = pressed(calm(next.picker), waiting);
  return { picker: done.picker, effects: [...next.effects, ...done.effects] };
}

/** The list is asked for once more, and what is being read is read again. */
function refreshed(picker: Picker): Next {
  const { reader } = picker;
  const next = again(picker);
  return reader ? { ...next, effects: [...next.effects, { type: 'reread', reader }] } : next;
}

/** Items of an answer that were not in the one before it to the same question. */
function freshIn(before: Answer | undefined, answer: Answer): number {
  if (!before || before.isPartial || answer.isPartial) return 0;
  const isSame = before.text === answer.text && before.kind === answer.kind && before.limit === answer.limit;
  const known = new Set(before.items.map(({ id }) => id));
  return isSame ? answer.items.filter(({ id }) => !known.has(id)).length : 0;
}

/** What is shown stays, and is taken for the answer: there will be no other. */
function failed(picker: Picker, reason: string): Picker {
  const message = { text: reason, isError: true };
  const { answer } = picker;
  return { ...calm(picker), message, ...(answer && { answer: { ...answer, number: picker.asked, isPartial: false } }) };
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
