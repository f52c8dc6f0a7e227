import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Home } from '../home/paths.ts';
import { contentOf, writeWhole } from './files.ts';

/** What setup did to a file of an agent, so that it can be undone exactly. */
export interface Touched {
  readonly path: string;
  /** The backup of the file as it was before us; null where there was none. */
  readonly backup: string | null;
  /** Hash of the file as we left it. While it has this one, undoing is putting the backup back. */
  readonly after: string;
  /** Folders that we made for it, outermost first. */
  readonly madeFolders: readonly string[];
  /** What stood in our place before, where something did. */
  readonly replaced?: string;
  /** We made what our entry stands in. */
  readonly madeParent?: boolean;
}

/** By the agent. */
type Records = ReadonlyMap<string, readonly Touched[]>;

/** The notes of what was done to which agent, with the backups, in Portolan's own home. */
export class SetupRecord {
  private readonly folder: string;
  private readonly path: string;

  constructor(home: Home) {
    this.folder = join(home.path, 'setup');
    this.path = join(this.folder, 'record.json');
  }

  touched(agent: string): readonly Touched[] {
    return this.all().get(agent) ?? [];
  }

  agents(): string[] {
    return [...this.all().keys()];
  }

  note(agent: string, touched: readonly Touched[]): void {
    const records = new Map(this.all());
    if (touched.length === 0) records.delete(agent);
    else records.set(agent, touched);
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    if (records.size === 0) rmSync(this.folder, { recursive: true, force: true });
    else writeWhole(this.path, `${JSON.stringify(Object.fromEntries(records), null, 2)}\n`);
  }

  /** Keeps a copy of a file's content; gives its path. */
  backUp(agent: string, content: Buffer): string {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const path = join(this.folder, `${agent}-${hashOf(content).slice(0, 16)}.backup`);
    writeWhole(path, content);
    return path;
  }

  private all(): Records {
    const content = contentOf(this.path);
    if (content === undefined) return new Map();
    // Written by this class alone.
    return new Map(Object.entries(JSON.parse(content.toString('utf8')) as Record<string, readonly Touched[]>));
  }
}

export function hashOf(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex');
}

export function readBackup(path: string): Buffer {
  return readFileSync(path);
}
