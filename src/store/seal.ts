import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/**
 * What a database file looked like when its writer left it. SQLite has no checksums: a file that was changed from
 * outside may answer wrongly without an error. A file that differs from its seal was; one without a seal is being
 * written, or its writer died, which SQLite itself makes good.
 */
export type SealState = 'whole' | 'changed' | 'unsealed';

const sealPath = (folder: string) => join(folder, 'SEAL');

/** Whether a file is as its writer left it. */
export function sealState(folder: string, path: string): SealState {
  try {
    const seal = readFileSync(sealPath(folder), 'utf8');
    return seal === markOf(path) ? 'whole' : 'changed';
  } catch {
    return 'unsealed';
  }
}

/** Seals a file that is closed. */
export function seal(folder: string, path: string): void {
  writeFileSync(sealPath(folder), markOf(path), { mode: 0o600 });
}

/** The file is about to be written. */
export function breakSeal(folder: string): void {
  rmSync(sealPath(folder), { force: true });
}

/** The seal of a file that is open for writing. */
export class Sealing {
  private readonly folder: string;
  private readonly path: string;
  /** Whether what stands in the file may be trusted, so that it may be sealed again. */
  private isTrusted: boolean;
  private isSealed: boolean;

  constructor(folder: string, path: string) {
    this.folder = folder;
    this.path = path;
    this.isSealed = sealState(folder, path) === 'whole';
    this.isTrusted = this.isSealed;
  }

  /** Whether the file is as its writer left it, or was looked at since. */
  get isWhole(): boolean {
    return this.isTrusted;
  }

  /** The file was looked at, all of it, or was made anew. */
  trust(): this {
    this.isTrusted = true;
    return this;
  }

  /** The file is about to be written. */
  break(): void {
    if (this.isSealed) breakSeal(this.folder);
    this.isSealed = false;
  }

  /** The file is closed. */
  end(): void {
    if (this.isTrusted && !this.isSealed) seal(this.folder, this.path);
  }
}

function markOf(path: string): string {
  const { size, mtimeNs, ino } = statSync(path, { bigint: true });
  return `${basename(path)} ${size} ${mtimeNs} ${ino}\n`;
}
