import { type Part, type Turn, toJson } from '../transcript/index.ts';

/** A stretch of a turn: its parts with their texts cut to what lies inside. */
export interface Window {
  readonly parts: readonly ShownPart[];
  readonly from: number;
  /** Characters of the whole turn. */
  readonly total: number;
  /** Parts without a text, as attachments, that are not shown: there are too many. */
  readonly unshown?: number;
  /** Where to go on; absent at the end. */
  readonly next?: number;
}

/** A part of which some text may be left out. Arguments that do not fit whole are cut as text. */
export type ShownPart = Part & { readonly inputText?: string; readonly leftOut?: number };

/** Each part costs more than its text. */
export const MOST_PARTS = 100;

/**
 * The stretch of a turn from a character on. Counted are the texts of its parts, one after the other: what was said,
 * a call's arguments as JSON, its output.
 */
export function windowOf(turn: Turn, from: number, most: number, mostParts = MOST_PARTS): Window {
  let end = from + most;
  const parts: ShownPart[] = [];
  let at = 0;
  let reached = from;
  let unshown = 0;
  for (const part of turn.parts) {
    const begin = at;
    // The next piece begins where its parts end.
    if (parts.length >= mostParts && begin > from) end = Math.min(end, begin);
    const pieces = textsOf(part).map((text) => {
      const piece = cut(text, from - at, end - at);
      if (piece.text !== '') reached = at + piece.to;
      at += text.length;
      return { ...piece, whole: text.length };
    });
    const length = at - begin;
    const isInside = length === 0 ? begin >= from && begin < end : begin < end && at > from;
    if (isInside && (length > 0 || parts.length < mostParts)) parts.push(shown(part, pieces));
    else if (isInside) unshown++;
  }
  return {
    parts,
    from,
    total: at,
    ...(unshown > 0 && { unshown }),
    ...(reached < at && from < at && { next: reached }),
  };
}

interface Piece {
  readonly text: string;
  readonly to: number;
  readonly whole: number;
}

function textsOf(part: Part): string[] {
  switch (part.type) {
    case 'tool_call':
      return [JSON.stringify(toJson(part.input, 'input')) ?? '', part.output ?? ''];
    case 'attachment':
      return [];
    default:
      return [part.text];
  }
}

function shown(part: Part, pieces: readonly Piece[]): ShownPart {
  const leftOut = pieces.reduce((sum, { text, whole }) => sum + whole - text.length, 0);
  if (leftOut === 0) return part;
  if (part.type === 'attachment') return part;
  if (part.type !== 'tool_call') return { ...part, text: pieces[0]!.text, leftOut };
  const [input, output] = [pieces[0]!, pieces[1]!];
  return {
    ...part,
    // Arguments are said in more than one way; none may be longer than the window.
    ...(input.text.length < input.whole && { input: null, inputText: input.text }),
    ...(part.command !== undefined && input.text.length < input.whole && { command: cut(part.command, 0, 200).text }),
    ...(part.output !== undefined && { output: output.text }),
    leftOut,
  };
}

/** From one offset to another, never through the middle of a character. */
function cut(text: string, from: number, to: number): { readonly text: string; readonly to: number } {
  const begin = boundary(text, Math.max(0, from));
  const end = boundary(text, Math.min(text.length, to));
  return { text: text.slice(begin, Math.max(begin, end)), to: end };
}

function boundary(text: string, at: number): number {
  const before = text.charCodeAt(at - 1);
  const isInside = at > 0 && at < text.length && before >= 0xd800 && before < 0xdc00;
  return isInside ? at - 1 : at;
}
