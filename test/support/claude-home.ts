import { appendFileSync, cpSync, mkdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../../src/agents/source.ts';
import { jsonl, SESSION } from './claude-records.ts';
import { temporaryFolder, writeAt } from './folders.ts';

export const PROJECT = '-home-dev-projects-pier';

/** A user's folder with a Claude Code history in it. */
export class ClaudeHome {
  readonly path = temporaryFolder();
  readonly claude = join(this.path, '.claude');
  readonly project = join(this.claude, 'projects', PROJECT);
  private clock = Date.parse('2026-11-21T12:00:00Z');

  constructor() {
    mkdirSync(this.project, { recursive: true });
  }

  /** What sources may know of the machine. */
  env(variables: Environment['variables'] = {}, projects: readonly string[] = []): Environment {
    return { home: this.path, platform: 'linux', variables, projects };
  }

  /** Where a transcript lies: the name of a session, or a path below its project's folder. */
  at(name = SESSION): string {
    return join(this.project, name.endsWith('.jsonl') ? name : `${name}.jsonl`);
  }

  /** Writes a transcript: records, or the very content. Every writing is some seconds later than the one before. */
  write(content: readonly unknown[] | string | Uint8Array, name = SESSION): string {
    const path = this.at(name);
    writeAt(path, isRecords(content) ? jsonl(content) : content);
    return this.touch(path);
  }

  append(content: readonly unknown[] | string | Uint8Array, name = SESSION): string {
    appendFileSync(this.at(name), isRecords(content) ? jsonl(content) : content);
    return this.touch(this.at(name));
  }

  /** A copy of a file that is only to be read. */
  copy(from: string, name = SESSION): string {
    const path = this.at(name);
    cpSync(from, path, { recursive: true });
    return this.touch(path);
  }

  /** Gives a file a later time. */
  touch(path: string): string {
    this.clock += 5000;
    utimesSync(path, new Date(this.clock), new Date(this.clock));
    return path;
  }
}

function isRecords(content: readonly unknown[] | string | Uint8Array): content is readonly unknown[] {
  return Array.isArray(content);
}
