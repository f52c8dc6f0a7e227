import { lengthCode } from '../bm25f.ts';
import type { PassageTokens } from '../lexical-index.ts';
import { SAME_POSITION } from '../words/tokens.ts';
import { LONGEST_TERM } from './leaf.ts';
import { FIELD_SHIFT, POSITION } from './postings.ts';
import type { SegmentWriter } from './segment-writer.ts';

const SPACE = 32;

/**
 * Turns passages round: from the words of each passage to the passages of each word. Words are numbered as they come;
 * an occurrence is a number of a word and a place, in two flat arrays. No string is made.
 */
export class Inverter {
  /** Passages in the order they came, where their occurrences begin, and the codes of their lengths: 0 when removed. */
  readonly passages: number[] = [];
  readonly codes: number[] = [];
  readonly sessions: number[] = [];
  private readonly starts: number[] = [0];
  private readonly indexOf = new Map<number, number>();

  private words = new Int32Array(1 << 16);
  private places = new Int32Array(1 << 16);
  private count = 0;
  private sortedDocs = new Int32Array(0);
  private sortedPlaces = new Int32Array(0);

  /** The words, one after the other, where each begins, and a hash table of their numbers plus one. */
  private letters = new Uint8Array(1 << 18);
  private wordStarts = new Int32Array(1 << 14);
  private hashes = new Int32Array(1 << 14);
  private wordCount = 0;
  private slots = new Int32Array(1 << 15);

  /** Forgets everything; the room is kept. */
  clear(): void {
    this.passages.length = 0;
    this.codes.length = 0;
    this.sessions.length = 0;
    this.starts.length = 1;
    this.indexOf.clear();
    this.count = 0;
    this.wordCount = 0;
    this.slots.fill(0);
  }

  /** Occurrences that it holds. */
  get size(): number {
    return this.count;
  }

  add(passage: number, { bytes, lengths }: PassageTokens, session: number): void {
    let length = 0;
    let start = 0;
    for (let field = 0; field < lengths.length; field++) {
      const end = start + lengths[field]!;
      if (end > start) length += this.addField(bytes, start, end, field);
      start = end;
    }
    this.indexOf.set(passage, this.passages.length);
    this.passages.push(passage);
    this.sessions.push(session);
    this.codes.push(lengthCode(length));
    this.starts.push(this.count);
  }

  /** Takes a passage out again; false where it is not here. */
  remove(passage: number): boolean {
    const index = this.indexOf.get(passage);
    if (index === undefined) return false;
    this.indexOf.delete(passage);
    this.codes[index] = 0;
    return true;
  }

  /** The number of words in a field, after noting each: of an identifier its whole and its parts. */
  private addField(bytes: Uint8Array, start: number, end: number, field: number): number {
    let position = 0;
    let words = 0;
    let at = start;
    let from = start;
    let hash = 0;
    for (; at < end; at++) {
      const byte = bytes[at]!;
      if (byte !== SPACE && byte !== SAME_POSITION) {
        hash = Math.imul(hash ^ byte, 0x5bd1e995);
        hash ^= hash >>> 15;
        continue;
      }
      if (at > from) {
        this.note(this.wordOf(bytes, from, Math.min(at, from + LONGEST_TERM), hash), (field << FIELD_SHIFT) | position);
        words++;
        if (byte === SPACE && position < POSITION) position++;
      }
      from = at + 1;
      hash = 0;
    }
    return words;
  }

  private note(word: number, place: number): void {
    const at = this.count++;
    if (at === this.words.length) {
      this.words = grown(this.words);
      this.places = grown(this.places);
    }
    this.words[at] = word;
    this.places[at] = place;
  }

  private wordOf(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const { slots } = this;
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (let held = slots[slot]!; held !== 0; held = slots[slot]!) {
      if (this.hashes[held - 1] === hash && this.isWord(held - 1, bytes, start, end)) return held - 1;
      slot = (slot + 1) & mask;
    }
    const word = this.newWord(bytes, start, end, hash);
    slots[slot] = word + 1;
    if (this.wordCount * 2 > slots.length) this.rehash();
    return word;
  }

  private isWord(word: number, bytes: Uint8Array, start: number, end: number): boolean {
    const { letters } = this;
    const from = this.wordStarts[word]!;
    if (this.wordStarts[word + 1]! - from !== end - start) return false;
    for (let i = start, j = from; i < end; i++, j++) if (bytes[i] !== letters[j]) return false;
    return true;
  }

  private newWord(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const word = this.wordCount++;
    if (word + 1 >= this.wordStarts.length) {
      this.wordStarts = grown(this.wordStarts);
      this.hashes = grown(this.hashes);
    }
    const from = this.wordStarts[word]!;
    const to = from + end - start;
    if (to > this.letters.length) {
      const larger = new Uint8Array(this.letters.length * 2);
      larger.set(this.letters);
      this.letters = larger;
    }
    for (let i = start, j = from; i < end; i++, j++) this.letters[j] = bytes[i]!;
    this.wordStarts[word + 1] = to;
    this.hashes[word] = hash;
    return word;
  }

  private rehash(): void {
    const slots = new Int32Array(this.slots.length * 2);
    const mask = slots.length - 1;
    for (let word = 0; word < this.wordCount; word++) {
      let slot = this.hashes[word]! & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = word + 1;
    }
    this.slots = slots;
  }

  /** Puts the words into a segment, in their order, documents in the order of their ids. */
  writeTo(writer: SegmentWriter): void {
    const order = this.documentOrder();
    const ends = new Int32Array(this.wordCount + 1);
    for (let i = 0; i < this.count; i++) ends[this.words[i]! + 1]!++;
    for (let w = 0; w < this.wordCount; w++) ends[w + 1]! += ends[w]!;
    const begins = ends.slice(0, this.wordCount);
    if (this.sortedDocs.length < this.count) {
      this.sortedDocs = new Int32Array(this.words.length);
      this.sortedPlaces = new Int32Array(this.words.length);
    }
    const { sortedDocs: docs, sortedPlaces: places } = this;
    // Distributed by word in the order of documents, so that each word has its occurrences in order.
    for (const index of order) {
      const doc = this.passages[index]!;
      if (this.codes[index] === 0) continue;
      for (let i = this.starts[index]!; i < this.starts[index + 1]!; i++) {
        const at = begins[this.words[i]!]!++;
        docs[at] = doc;
        places[at] = this.places[i]!;
      }
    }
    for (const word of this.wordOrder()) {
      writer.pending.addOccurrences(docs, places, ends[word]!, begins[word]!);
      writer.endTerm(this.letters.subarray(this.wordStarts[word]!, this.wordStarts[word + 1]!));
    }
  }

  private documentOrder(): number[] {
    return this.passages.map((_, index) => index).sort((a, b) => this.passages[a]! - this.passages[b]!);
  }

  /** The numbers of the words in the order of their bytes: sorted by four bytes at a time, as numbers. */
  private wordOrder(): Int32Array {
    const order = Int32Array.from({ length: this.wordCount }, (_, word) => word);
    this.sort(order, 0, order.length, 0);
    return order;
  }

  private sort(order: Int32Array, from: number, to: number, depth: number): void {
    const keys = new Float64Array(to - from);
    // A word's key above its number; both fit into the 53 bits of a number.
    for (let i = from; i < to; i++) keys[i - from] = this.key(order[i]!, depth) * WORDS + order[i]!;
    keys.sort();
    for (let i = from; i < to; i++) order[i] = keys[i - from]! % WORDS;
    let start = from;
    while (start < to) {
      const key = Math.floor(keys[start - from]! / WORDS);
      let end = start + 1;
      while (end < to && Math.floor(keys[end - from]! / WORDS) === key) end++;
      // A word that ends within these bytes has no other beside it.
      if (end - start > 1) this.sort(order, start, end, depth + KEY_BYTES);
      start = end;
    }
  }

  private key(word: number, depth: number): number {
    const start = this.wordStarts[word]! + depth;
    const end = this.wordStarts[word + 1]!;
    let key = 0;
    // A byte that is not there sorts before every byte that is: none is 0.
    for (let i = 0; i < KEY_BYTES; i++) key = key * 256 + (start + i < end ? this.letters[start + i]! : 0);
    return key;
  }
}

const KEY_BYTES = 4;
/** More words than a batch has. */
const WORDS = 2 ** 21;

function grown(array: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}
