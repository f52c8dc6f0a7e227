import { cpSync, existsSync, globSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { shared } from '../oracle/product.ts';

/** What a source is shown by: homes in which its agent itself wrote, as folders of what is shared. */
export interface Evidence {
  readonly source: string;
  readonly homes: readonly (readonly string[])[];
}

const FOLDER = join(import.meta.dirname, '..', 'agents');

/** The evidence of every source that has some: `test/agents/<source>/evidence.ts`. */
export async function allEvidence(): Promise<Evidence[]> {
  const files = globSync('*/evidence.ts', { cwd: FOLDER }).sort();
  return Promise.all(
    files.map(async (file) => {
      const { homes } = (await import(join(FOLDER, file))) as Pick<Evidence, 'homes'>;
      return { source: basename(dirname(file)), homes };
    }),
  );
}

/** Whether a source has evidence. */
export function hasEvidence(source: string): boolean {
  return existsSync(join(FOLDER, source, 'evidence.ts'));
}

/** A copy of such a home, which is only to be read. */
export function copyOfEvidence(names: readonly string[]): string {
  const home = mkdtempSync(join(tmpdir(), 'portolan-home-'));
  cpSync(shared(...names), home, { recursive: true, dereference: true });
  return home;
}
