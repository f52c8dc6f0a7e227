import { BLOCK, readDocs } from '../segments/block.ts';
import type { TermEntry } from '../segments/leaf.ts';
import type { Segment } from '../segments/segment.ts';
import { meet } from './combine.ts';
import { type Cursor, END } from './cursor.ts';

/**
 * Of many terms those that stand in a passage in which all of some others do. A short beginning has tens of thousands, most of
 * them rare: their documents are read in a row, which is far less than to walk each with its positions.
 */
export function termsBeside(segment: Segment, entries: readonly TermEntry[], others: readonly Cursor[]): TermEntry[] {
  const { first, last } = segment.row;
  const passages = new Uint8Array(last - first + 1);
  for (let doc = meet(others, first); doc !== END; doc = meet(others, doc + 1)) passages[doc - first] = 1;
  const docs = new Int32Array(BLOCK);
  const beside = new Set<TermEntry>();
  segment.eachBlock(entries, (bytes, start, firstDoc, documents, entry) => {
    if (beside.has(entry)) return;
    readDocs(bytes, start, firstDoc, documents, docs);
    for (let i = 0; i < documents; i++)
      if (passages[docs[i]! - first] === 1) {
        beside.add(entry);
        return;
      }
  });
  return [...beside];
}
