import { itemsOn, layoutOf } from './layout.ts';
import { edited } from './line-editor.ts';
import { type Effect, FIRST_ITEMS, type Next, type Picker, selectedItem } from './state.ts';

/** The steps that the picker's keys and events are made of. */

/** More is not asked for: whoever looks so far down wants other words. */
const MOST_ITEMS = 1000;

/** A state, and nothing to be done. */
export const same = (picker: Picker): Next => ({ picker, effects: [] });
export const doing = (picker: Picker, ...effects: Effect[]): Next => ({ picker, effects });

/** Asks for another text. */
export const asking = (picker: Picker, text: string): Next => ask({ ...picker, query: edited(text) });

/** Asks what the query says. */
export function ask(picker: Picker): Next {
  const number = picker.asked + 1;
  const next = { ...picker, asked: number, selected: 0, top: 0 };
  return doing(next, { type: 'ask', number, text: picker.query.text, limit: FIRST_ITEMS });
}

/** Asks the same once more, for more items or because there is something new; the selection stays. */
export function again(picker: Picker, limit = picker.answer?.limit ?? FIRST_ITEMS): Next {
  const number = picker.asked + 1;
  return doing({ ...picker, asked: number }, { type: 'ask', number, text: picker.query.text, limit });
}

/** Another item chosen, so many further down. */
export function moved(picker: Picker, by: number): Next {
  const { answer } = picker;
  if (!answer || answer.items.length === 0) return same(picker);
  const selected = Math.max(0, Math.min(answer.items.length - 1, picker.selected + by));
  const next = reframed({ ...picker, selected });
  const isMore =
    answer.items.length >= answer.limit && answer.limit < MOST_ITEMS && selected >= answer.items.length - 10;
  if (!isMore || answer.number !== picker.asked) return next;
  const more = again(next.picker, Math.min(MOST_ITEMS, answer.limit * 3));
  return { picker: more.picker, effects: [...next.effects, ...more.effects] };
}

/** The list scrolled so that the selection is on it, and the selection's preview asked for. */
export function reframed(picker: Picker): Next {
  const screen = itemsOn(layoutOf(picker.size, picker.hasPreview));
  const most = Math.max(0, (picker.answer?.items.length ?? 0) - screen);
  const top = Math.max(Math.min(picker.top, picker.selected, most), picker.selected - screen + 1);
  return preview({ ...picker, top });
}

/** Asks for the preview of what is chosen, where it is to be seen. */
export function preview(picker: Picker): Next {
  const item = selectedItem(picker);
  const isWanted = item && picker.preview?.item !== item && layoutOf(picker.size, picker.hasPreview).preview;
  return isWanted ? doing(picker, { type: 'preview', item }) : same(picker);
}

/** The picker before a key: without what the one before said, or waited for, or what has come since. */
export function calm(picker: Picker): Picker {
  const { message: _, waiting: __, fresh: ___, ...rest } = picker;
  return rest;
}
