import { cpSync, existsSync, globSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { shared } from '../oracle/product.ts';

/** What a source is shown by: homes in which its agent itself wrote, as folders of what is shared. */
export interface Evidence {
  readonly source: string;
  readonly homes: readonly (readonly string[])[];
  /** What a copy of such a home lacks, as paths that are that machine's. */
  prepare?(home: string): void;
}

const FOLDER = join(import.meta.dirname, '..', 'agents');

/** The evidence of every source that has some: `test/agents/<source>/evidence.ts`. */
export async function allEvidence(): Promise<Evidence[]> {
  const files = globSync('*/evidence.ts', { cwd: FOLDER }).sort();
  return Promise.all(
    files.map(async (file) => {
      const found = (await import(join(FOLDER, file))) as Omit<Evidence, 'source'>;
      return { ...found, source: basename(dirname(file)) };
    }),
  );
}

/** Whether a source has evidence. */
export function hasEvidence(source: string): boolean {
  return existsSync(join(FOLDER, source, 'evidence.ts'));
}

/** A copy of such a home, which is only to be read. */
export function copyOfEvidence(names: readonly string[], { prepare }: Pick<Evidence, 'prepare'> = {}): string {
  const home = mkdtempSync(join(tmpdir(), 'portolan-home-'));
  cpSync(shared(...names), home, { recursive: true, dereference: true });
  prepare?.(home);
  return home;
}
