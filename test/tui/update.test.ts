import { describe, expect, it } from 'vitest';
import type { Item } from '../../src/tui/item.ts';
import { KeyReader } from '../../src/tui/keys.ts';
import { type Answer, type Effect, type Event, FIRST_ITEMS, type Picker } from '../../src/tui/state.ts';
import { opened, update } from '../../src/tui/update.ts';

const SIZE = { columns: 80, rows: 24 };
const DOWN = '\x1b[B';

const item = (n: number): Item => ({ id: `s:${n}#1`, session: `s:${n}`, turn: 1, label: 'S', isStarred: false });
const items = (n: number, from = 0) => Array.from({ length: n }, (_, i) => item(from + i));

/** The state machine alone, with what it asks for written down. */
class Machine {
  picker: Picker;
  asked: Effect[] = [];
  private readonly keys = new KeyReader();

  constructor() {
    const first = opened(SIZE);
    this.picker = first.picker;
    this.asked.push(...first.effects);
  }

  /** Sends keys; gives what was asked for by them. */
  type(sent: string): Effect[] {
    return [...this.keys.read(sent), ...this.keys.settle()].flatMap((key) => this.happen({ type: 'key', key }));
  }

  happen(event: Event): readonly Effect[] {
    const next = update(this.picker, event);
    this.picker = next.picker;
    this.asked.push(...next.effects);
    return next.effects;
  }

  answer(found: readonly Item[], more: Partial<Answer> = {}): readonly Effect[] {
    const text = this.picker.query.text;
    const answer: Answer = {
      number: this.picker.asked,
      text,
      kind: 'turns',
      isPartial: false,
      items: found,
      total: found.length,
      isAtLeast: false,
      limit: FIRST_ITEMS,
      tookMs: 1,
      warnings: [],
      ...more,
    };
    return this.happen({ type: 'answered', answer });
  }

  get shown(): readonly string[] {
    return this.picker.answer?.items.map(({ id }) => id) ?? [];
  }
}

describe('typing', () => {
  it('asks with every letter, and first for what is recent', () => {
    const machine = new Machine();
    machine.type('ti');
    expect(machine.asked).toEqual([
      { type: 'ask', number: 1, text: '', limit: FIRST_ITEMS },
      { type: 'ask', number: 2, text: 't', limit: FIRST_ITEMS },
      { type: 'ask', number: 3, text: 'ti', limit: FIRST_ITEMS },
    ]);
  });

  it('does not ask again for a key that changes nothing', () => {
    const machine = new Machine();
    expect(machine.type('\x1b[D\x1b[C\x7f')).toEqual([]);
  });

  it('never shows an answer to an earlier question over that to a later one', () => {
    const machine = new Machine();
    machine.type('t');
    const early = machine.picker.asked;
    machine.type('i');
    machine.answer([item(2)]);
    machine.answer([item(1)], { number: early });
    expect(machine.shown).toEqual(['s:2#1']);
  });

  it('keeps what is shown until there is something better', () => {
    const machine = new Machine();
    machine.answer(items(3));
    machine.type('ti');
    machine.answer([], { isPartial: true, kind: 'titles' });
    expect(machine.shown).toHaveLength(3);
    machine.answer([item(9)], { isPartial: true, kind: 'titles' });
    expect(machine.shown).toEqual(['s:9#1']);
    machine.answer([]);
    expect(machine.shown).toEqual([]);
  });
});

describe('the list', () => {
  it('is walked with arrows while typing, and with letters after Escape', () => {
    const machine = new Machine();
    machine.answer(items(30));
    machine.type(`${DOWN}${DOWN}`);
    expect(machine.picker.selected).toBe(2);
    machine.type('\x1b');
    machine.type('jjk');
    expect(machine.picker.selected).toBe(3);
    machine.type('G');
    expect(machine.picker.selected).toBe(29);
    machine.type('g');
    expect(machine.picker.selected).toBe(0);
    expect(machine.picker.query.text).toBe('');
  });

  it('scrolls so that the chosen item is on the screen', () => {
    const machine = new Machine();
    machine.answer(items(30));
    machine.type('\x1b');
    machine.type('G');
    expect(machine.picker.top).toBe(25);
    machine.type('k');
    expect(machine.picker.top).toBe(25);
    machine.type('g');
    expect(machine.picker.top).toBe(0);
  });

  it('asks for a preview of what is chosen, and shows no other', () => {
    const machine = new Machine();
    expect(machine.answer(items(3))).toEqual([{ type: 'preview', item: item(0) }]);
    expect(machine.type(DOWN)).toEqual([{ type: 'preview', item: item(1) }]);
  });

  it('asks for more near its end, once', () => {
    const machine = new Machine();
    machine.answer(items(FIRST_ITEMS));
    machine.type('\x1b');
    const asked = machine.type('Gk').filter(({ type }) => type === 'ask');
    expect(asked).toEqual([{ type: 'ask', number: 2, text: '', limit: FIRST_ITEMS * 3 }]);
  });

  it('keeps the chosen item when the same is answered anew with something before it', () => {
    const machine = new Machine();
    machine.answer(items(5));
    machine.type(`${DOWN}${DOWN}`);
    machine.happen({ type: 'refreshed' });
    machine.answer([item(100), ...items(5)]);
    expect(machine.picker.answer!.items[machine.picker.selected]!.id).toBe('s:2#1');
  });

  it('tells how many came since the last key, of the same question alone', () => {
    const machine = new Machine();
    machine.answer(items(5));
    for (const came of [1, 2]) {
      machine.happen({ type: 'refreshed' });
      machine.answer([...items(came, 100), ...items(5)]);
      expect(machine.picker.fresh).toBe(came);
    }
    machine.type(DOWN);
    expect(machine.picker.fresh).toBeUndefined();
    machine.type('x');
    machine.answer(items(3, 200));
    expect(machine.picker.fresh).toBeUndefined();
  });

  it('stays at its top when something new comes and nothing was chosen', () => {
    const machine = new Machine();
    machine.answer(items(5));
    machine.happen({ type: 'refreshed' });
    machine.answer([item(100), ...items(5)]);
    expect(machine.picker.selected).toBe(0);
  });
});

describe('keys for the chosen item', () => {
  const chosen = () => {
    const machine = new Machine();
    machine.answer(items(3));
    return machine;
  };

  it.each([
    ['enter', '\r', { type: 'open', item: item(0), scope: 'session' }],
    ['Ctrl-R', '\x12', { type: 'resume', item: item(0) }],
    ['Ctrl-S', '\x13', { type: 'star', item: item(0) }],
    ['Ctrl-Y c', '\x19c', { type: 'copy', item: item(0), what: 'command' }],
    ['Ctrl-Y i', '\x19i', { type: 'copy', item: item(0), what: 'id' }],
    ['Ctrl-Y t', '\x19t', { type: 'copy', item: item(0), what: 'text' }],
    ['Ctrl-T', '\x14', { type: 'locate' }],
    ['Ctrl-Z', '\x1a', { type: 'suspend' }],
    ['Ctrl-C', '\x03', { type: 'quit', code: 130 }],
  ])('%s', (_, sent, effect) => {
    expect(chosen().type(sent)).toEqual([effect]);
  });

  it.each([
    ['r', { type: 'resume', item: item(0) }],
    ['s', { type: 'star', item: item(0) }],
    ['yc', { type: 'copy', item: item(0), what: 'command' }],
    ['q', { type: 'quit', code: 0 }],
  ])('%s in the list', (sent, effect) => {
    const machine = chosen();
    machine.type('\x1b');
    expect(machine.type(sent)).toEqual([effect]);
  });

  it('are meant for what is found, where they are pressed before it is', () => {
    const machine = chosen();
    expect(machine.type('tide\r').map(({ type }) => type)).toEqual(['ask', 'ask', 'ask', 'ask']);
    machine.answer([item(7)], { isPartial: true, kind: 'titles' });
    expect(machine.answer([item(8)])).toEqual([
      { type: 'preview', item: item(8) },
      { type: 'open', item: item(8), scope: 'session' },
    ]);
  });

  it('are meant for what was chosen, though better may come', () => {
    const machine = chosen();
    machine.type(`tide${DOWN}`);
    expect(machine.type('\r')).toEqual([{ type: 'open', item: item(1), scope: 'session' }]);
  });

  it('wait for nothing after a search that failed', () => {
    const machine = chosen();
    machine.type('tide\r');
    machine.happen({ type: 'failed', number: machine.picker.asked, reason: 'no luck' });
    expect(machine.picker.message).toEqual({ text: 'no luck', isError: true });
    expect(machine.type('\r')).toEqual([{ type: 'open', item: item(0), scope: 'session' }]);
  });

  it('do nothing where nothing was found', () => {
    const machine = new Machine();
    machine.answer([]);
    expect(machine.type('\r\x12\x13\x19c')).toEqual([{ type: 'ask', number: 2, text: 'c', limit: FIRST_ITEMS }]);
  });

  it('show at once what a star changed', () => {
    const machine = chosen();
    machine.happen({ type: 'starred', id: 's:0#1', isStarred: true });
    expect(machine.picker.answer!.items.map(({ isStarred }) => isStarred)).toEqual([true, false, false]);
  });
});

describe('narrowing', () => {
  const facets = {
    source: { codex: 4, 'claude-code': 2 },
    project: { 'harbor api': 5, pier: 1 },
    type: {},
    month: { '2026-10': 1, '2026-11': 5 },
    exact: true,
  };

  it.each([
    ['a source', '\r', 'source:codex tide'],
    ['a project', '\x1b[C\r', 'project:"harbor api" tide'],
    ['the newest month', '\x1b[C\x1b[C\r', 'since:2026-11 until:2026-11 tide'],
    ['the second of them', `\x1b[C${DOWN}\r`, 'project:pier tide'],
  ])('by %s writes it into the query', (_, keys, text) => {
    const machine = new Machine();
    machine.type('tide');
    machine.answer(items(3), { facets });
    machine.type(`\x06${keys}`);
    expect(machine.picker.query.text).toBe(text);
    expect(machine.asked.at(-1)).toMatchObject({ type: 'ask', text });
  });

  it('counts what is listed when it is to be seen', () => {
    const machine = new Machine();
    machine.answer(items(3));
    expect(machine.type('\x06')).toEqual([{ type: 'facets', text: '', number: 1 }]);
    machine.happen({ type: 'counted', number: 1, facets });
    expect(machine.picker.answer!.facets).toEqual(facets);
  });

  it('to this folder’s project goes by the same key', () => {
    const machine = new Machine();
    machine.type('tide');
    machine.happen({ type: 'located', project: 'pier' });
    expect(machine.picker.query.text).toBe('project:pier tide');
    machine.happen({ type: 'located', project: 'pier' });
    expect(machine.picker.query.text).toBe('tide');
  });

  it('to this folder says so where it has no history', () => {
    const machine = new Machine();
    machine.happen({ type: 'located', project: undefined });
    expect(machine.picker.message?.text).toBe('There is no history of this folder.');
    expect(machine.picker.query.text).toBe('');
  });

  it('to what is starred, and all of it away again', () => {
    const machine = new Machine();
    machine.type('tide\x07');
    expect(machine.picker.query.text).toBe('is:starred tide');
    machine.type('\x18');
    expect(machine.picker.query.text).toBe('tide');
  });
});

describe('Tab', () => {
  const offering = () => {
    const machine = new Machine();
    machine.type('tide proj');
    const [effect] = machine.type('\t');
    expect(effect).toMatchObject({ type: 'complete', line: { text: 'tide proj', cursor: 9 } });
    const options = [{ text: 'project:' }, { text: 'projector' }];
    machine.happen({ type: 'offered', completing: { before: machine.picker.query, from: 5, to: 9, options } });
    return machine;
  };

  it('puts the first completion in, and goes through the others, both ways', () => {
    const machine = offering();
    expect(machine.picker.query.text).toBe('tide project:');
    machine.type('\t');
    expect(machine.picker.query.text).toBe('tide projector');
    machine.type('\t\x1b[Z\x1b[Z');
    expect(machine.picker.query.text).toBe('tide project:');
    expect(machine.asked.at(-1)).toMatchObject({ type: 'ask', text: 'tide project:' });
  });

  it('is taken by going on, and taken back by Escape', () => {
    const machine = offering();
    machine.type('x');
    expect(machine.picker.query.text).toBe('tide project:x');
    expect(machine.picker.completing).toBeUndefined();
    const other = offering();
    other.type('\x1b');
    expect([other.picker.query.text, other.picker.focus]).toEqual(['tide proj', 'query']);
  });

  it('says so where there is nothing to complete', () => {
    const machine = new Machine();
    machine.type('\t');
    const before = machine.picker.query;
    machine.happen({ type: 'offered', completing: { before, from: 0, to: 0, options: [] } });
    expect(machine.picker.message?.text).toBe('Nothing to complete here.');
  });

  it('offers nothing for what was typed on meanwhile', () => {
    const machine = new Machine();
    machine.type('pro\t');
    const before = machine.picker.query;
    machine.type('x');
    machine.happen({ type: 'offered', completing: { before, from: 0, to: 3, options: [{ text: 'project:' }] } });
    expect(machine.picker.query.text).toBe('prox');
  });
});

describe('help', () => {
  it('is shown by a question mark before anything is typed, and by F1', () => {
    const machine = new Machine();
    machine.type('?');
    expect(machine.picker.isHelping).toBe(true);
    machine.type('x');
    expect(machine.picker.isHelping).toBe(false);
    expect(machine.picker.query.text).toBe('');
    machine.type('why?');
    expect(machine.picker.query.text).toBe('why?');
    machine.type('\x1bOP');
    expect(machine.picker.isHelping).toBe(true);
  });
});
