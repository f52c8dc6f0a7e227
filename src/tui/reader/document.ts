import { type Line, lineWidth, span, truncateLine } from '../../render/spans.ts';
import { glyphs, measure, type Style } from '../../render/style.ts';
import { partLines, turnHeader } from '../../render/turn.ts';
import type { Page, PageContent, Pages } from '../../search/transcripts/pages.ts';
import type { Part } from '../../transcript/index.ts';
import { squeezed } from '../highlight.ts';

/** How much is shown of a tool call, a thought or a notice: its first line, what matters of it, all of it. */
export type Fold = 'brief' | 'some' | 'full';

export interface Folds {
  readonly all: Fold;
  /** Parts that were folded or unfolded on their own, by the key of their block. */
  readonly own: ReadonlyMap<string, Fold>;
}

/** A line of a document: of a page, the line. */
export interface Position {
  readonly page: number;
  readonly line: number;
}

/** The lines of one part. */
export interface Block {
  readonly key: string;
  readonly part: Part;
  readonly first: number;
  readonly count: number;
  readonly fold: Fold;
  readonly isFoldable: boolean;
}

export interface Laid {
  readonly lines: readonly Line[];
  readonly blocks: readonly Block[];
}

export interface DocumentOptions {
  readonly style: Style;
  readonly now: number;
  readonly cwd?: string;
}

const NOTHING: Laid = { lines: [], blocks: [] };

/** Pages that stay laid out: what is on the screen and about it. */
const MOST_LAID = 24;

export const isBefore = (a: Position, b: Position) => a.page < b.page || (a.page === b.page && a.line < b.line);

/**
 * A session as lines. Pages are read and laid out when a line of theirs is asked for, so that the longest session opens
 * as fast as any.
 */
export class Document {
  readonly pages: readonly Page[];
  readonly options: DocumentOptions;
  private readonly source: Pages;
  private readonly laid = new Map<number, { readonly folds: string; readonly page: Laid }>();

  constructor(source: Pages, options: DocumentOptions) {
    this.source = source;
    this.pages = source.list;
    this.options = options;
  }

  /** The same pages for a terminal of another width. */
  withStyle(style: Style): Document {
    return new Document(this.source, { ...this.options, style });
  }

  /** A page's content; the reason why there is none, as a notice, where it cannot be read. */
  content(page: number): PageContent {
    const asked = this.pages[page]!;
    try {
      return this.source.read(asked);
    } catch (error) {
      const text = `This page cannot be read: ${error instanceof Error ? error.message : error}`;
      const turn = { id: '', session: '', index: asked.turn, anchor: '', rewound: false };
      return { turn, parts: [{ type: 'notice', kind: 'system', text, where: { offset: 0, line: 0 } }] };
    }
  }

  page(index: number, folds: Folds): Laid {
    if (index >= this.pages.length) return NOTHING;
    const own = [...folds.own].filter(([key]) => key.startsWith(`${index}:`));
    const signature = JSON.stringify([folds.all, own]);
    const known = this.laid.get(index);
    this.laid.delete(index);
    const page = known?.folds === signature ? known.page : this.lay(index, folds);
    this.laid.set(index, { folds: signature, page });
    if (this.laid.size > MOST_LAID) this.laid.delete(this.laid.keys().next().value!);
    return page;
  }

  private lay(index: number, folds: Folds): Laid {
    const { style, now, cwd } = this.options;
    const { turn, parts } = this.content(index);
    const lines: Line[] = [];
    const blocks: Block[] = [];
    if (this.pages[index]!.isFirst) {
      if (index > 0) lines.push([]);
      lines.push(...turnHeader(turn, style, measure(style), { outputs: 'folded', thinking: 'folded', now }));
    }
    let wasTerse = false;
    for (const [i, part] of parts.entries()) {
      const key = `${index}:${i}`;
      const isFoldable = part.type === 'tool_call' || part.type === 'thinking' || part.type === 'notice';
      const fold = isFoldable ? (folds.own.get(key) ?? folds.all) : 'full';
      const shown = linesOf(part, fold, style, cwd);
      if (shown.length === 0) continue;
      const isTerse = isFoldable && shown.length === 1;
      // What says all in one line stands together; everything else has air around it.
      if (!isTerse || !wasTerse) lines.push([]);
      wasTerse = isTerse;
      blocks.push({ key, part, first: lines.length, count: shown.length, fold, isFoldable });
      for (const line of shown) lines.push(line);
    }
    return { lines, blocks };
  }

  /** The block that a line belongs to. */
  blockAt({ page, line }: Position, folds: Folds): Block | undefined {
    return this.page(page, folds).blocks.find(({ first, count }) => line >= first && line < first + count);
  }

  get first(): Position {
    return { page: 0, line: 0 };
  }

  last(folds: Folds): Position {
    const page = Math.max(0, this.pages.length - 1);
    return this.step({ page, line: 0 }, Number.POSITIVE_INFINITY, folds);
  }

  /** The position so many lines further, or back; the first or the last where there are fewer. */
  step(from: Position, lines: number, folds: Folds): Position {
    let { page, line } = from;
    let left = lines;
    let at = from;
    while (left !== 0 && this.pages.length > 0) {
      const count = this.page(page, folds).lines.length;
      if (left > 0) {
        const here = Math.max(0, Math.min(left, count - 1 - line));
        if (count > 0) at = { page, line: line + here };
        left -= here;
        if (left === 0 || page + 1 >= this.pages.length) break;
        page++;
        line = -1;
      } else {
        const here = Math.max(0, Math.min(-left, line));
        if (count > 0) at = { page, line: Math.min(line - here, count - 1) };
        left += here;
        if (left === 0 || page === 0) break;
        page--;
        line = this.page(page, folds).lines.length;
      }
    }
    return at;
  }

  /** Lines between two positions, the first before the second; counted no further than `most`. */
  distance(from: Position, to: Position, most: number, folds: Folds): number {
    if (from.page === to.page) return Math.min(most, to.line - from.line);
    let lines = this.page(from.page, folds).lines.length - from.line;
    for (let page = from.page + 1; page < to.page && lines < most; page++) lines += this.page(page, folds).lines.length;
    return Math.min(most, lines + to.line);
  }

  /** So many lines from a position on, each with where it stands. */
  window(top: Position, count: number, folds: Folds): { readonly at: Position; readonly line: Line }[] {
    const out: { at: Position; line: Line }[] = [];
    let { line } = top;
    for (let page = top.page; page < this.pages.length && out.length < count; page++, line = 0) {
      const { lines } = this.page(page, folds);
      for (; line < lines.length && out.length < count; line++) out.push({ at: { page, line }, line: lines[line]! });
    }
    return out;
  }

  /** The position, or the nearest there is: folding moves lines. */
  clamp({ page, line }: Position, folds: Folds): Position {
    if (this.pages.length === 0) return this.first;
    const at = Math.max(0, Math.min(page, this.pages.length - 1));
    return { page: at, line: Math.max(0, Math.min(line, this.page(at, folds).lines.length - 1)) };
  }

  /** The page on which a turn begins; that of the next one where it has none here. */
  pageOfTurn(turn: number): number {
    const page = this.pages.findIndex((one) => one.turn >= turn);
    return page < 0 ? Math.max(0, this.pages.length - 1) : page;
  }

  /** Whether a text may stand on a page: read, but not laid out. */
  mayHold(page: number, needle: string): boolean {
    const wanted = bare(squeezed(needle));
    return this.content(page).parts.some((part) => bare(squeezed(wordsOf(part))).includes(wanted));
  }
}

/** A text without the signs of Markdown, which a page does not show. */
const bare = (text: string) => text.replace(/[*`_]/g, '');

/** All that may be shown of a part, as text. */
function wordsOf(part: Part): string {
  const all = JSON.stringify(part, (key, value) => (key === 'where' || key === 'outputWhere' ? undefined : value));
  // Line ends and quotes inside strings are escaped there.
  return all
    .replace(/\\[nrt]/g, ' ')
    .replace(/\\(["\\])/g, '$1')
    .replace(/[*`_]/g, '');
}

const BRIEF: Fold = 'brief';

function linesOf(part: Part, fold: Fold, style: Style, cwd: string | undefined): Line[] {
  const how = fold === 'full' ? 'full' : 'folded';
  const where = cwd === undefined ? {} : { cwd };
  const lines = partLines(part, style, measure(style), { outputs: how, thinking: how, ...where });
  const [head] = lines;
  if (fold !== BRIEF || head === undefined || lines.length === 1) return lines;
  const { ellipsis } = glyphs(style);
  const rest = span(` ${ellipsis} ${lines.length - 1} more`, 'dim');
  return [[...truncateLine(head, style.width - lineWidth([rest]), ellipsis), rest]];
}
