import type { Archive } from '../archive/archive.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Home } from '../home/paths.ts';
import type { LexicalIndex } from '../lexical/lexical-index.ts';

/** The archive and the index made from it. */
export interface Stores {
  readonly home: Home;
  readonly archive: Archive;
  readonly catalog: Catalog;
  readonly lexical: LexicalIndex;
  close(): void;
}
