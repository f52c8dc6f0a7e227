import { realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { inHome } from '../../agents/environment.ts';
import type { Environment, Root, SessionFacts, Source, Unit } from '../../agents/source.ts';
import type { Archive } from '../../archive/archive.ts';
import type { SessionDelta } from '../../archive/delta.ts';
import { mergedFacts } from '../../archive/facts.ts';
import type { Keeper } from '../../archive/keeper.ts';
import { isMask } from '../../archive/mask.ts';
import type { UnitRow } from '../../archive/rows.ts';
import { Withheld } from '../../archive/withheld.ts';
import type { Stores } from '../../holdings/stores.ts';
import type { Config } from '../../home/config.ts';
import { readConfig } from '../../home/config.ts';
import { evidenceOf } from '../../projects/evidence.ts';
import { ProjectNames } from '../../projects/here.ts';
import { hash53 } from '../../transcript/index.ts';
import { chunkWithoutSummaries } from '../clearing/summaries.ts';
import { knownAt } from './known-units.ts';

/** A beginning of an id that is long enough to be meant. */
const SHORTEST_BEGINNING = 8;

/** The sessions of one reading, parted. */
export interface Sifted {
  readonly kept: readonly SessionDelta[];
  /** Sessions that were begun to be kept before it was known that they are left out. */
  readonly dropped: readonly number[];
  readonly withheld: number;
}

/** What is not to be kept: by the configuration, or because it was forgotten. */
export class Exclusion {
  private readonly rules: Config['exclude'];
  private readonly paths: readonly string[];
  private readonly archive: Archive;
  private readonly withheld: Withheld;
  private readonly projects: ProjectNames;
  private readonly isIdle: boolean;

  /** `userHome` is what `~` stands for. */
  constructor(rules: Config['exclude'], userHome: string, archive: Archive, projects: ProjectNames) {
    this.rules = rules;
    this.paths = rules.paths.flatMap((path) => spellingsOf(inHome(path, userHome)).map(folderOf));
    this.archive = archive;
    this.projects = projects;
    this.withheld = new Withheld(archive.db);
    this.isIdle = Object.values(rules).every((list: readonly string[]) => list.length === 0) && this.withheld.isEmpty;
  }

  hasSource(source: string): boolean {
    return this.rules.sources.includes(source);
  }

  /** Whether a path is, or lies below, a folder that is left out. */
  hasPath(path: string): boolean {
    if (this.paths.length === 0) return false;
    const at = folderOf(path);
    return this.paths.some((folder) => at.startsWith(folder));
  }

  /** Whether a unit holds nothing that is to be kept, as far as is known: then it need not be read on. */
  hasUnit(unit: Unit, known: UnitRow | undefined): boolean {
    if (this.isIdle || !known || !unit.isOneSession) return false;
    const sessions = this.archive.sessionsOfUnit(known.id);
    // Of several copies of a session that is left out only one is noted with it; nothing is known of the others either.
    return sessions.length === 0
      ? this.withheld.hasOf(known.id) || (isMask(known.path) && known.reader !== 0)
      : sessions.every((row) => this.hasSession(row.source, row.nativeId, row.facts));
  }

  /** Parts what a reading of a unit gave; notes what is left out. Inside the writer's transaction. */
  sift(source: string, unit: number, sessions: readonly SessionDelta[]): Sifted {
    if (this.isIdle) return { kept: sessions, dropped: [], withheld: 0 };
    const kept: SessionDelta[] = [];
    const dropped: number[] = [];
    for (const delta of sessions) {
      const key = `${source}:${delta.nativeId}`;
      const row = this.archive.sessionIn(unit, delta.nativeId) ?? this.archive.sessionByKey(key);
      const facts = mergedFacts(row?.facts ?? {}, delta.facts);
      if (!this.hasSession(source, delta.nativeId, facts)) {
        kept.push(this.withoutSummaries(delta));
        continue;
      }
      this.withheld.leaveOut(key, unit);
      if (row?.unit === unit && !this.hasSession(source, row.nativeId, row.facts, true)) dropped.push(row.id);
    }
    return { kept, dropped, withheld: sessions.length - kept.length };
  }

  /** `byRules`: as the configuration alone says. */
  private hasSession(source: string, nativeId: string, facts: SessionFacts, byRules = false): boolean {
    const { cwd, roots = [], parent, remote, transcript } = facts;
    const ids = [nativeId, ...(parent?.relation === 'subagent' ? [parent.nativeId] : []), transcript].filter(
      (id) => id !== undefined,
    );
    if (!byRules && ids.some((id) => this.withheld.has(`${source}:${id}`))) return true;
    if (ids.some((id) => this.rules.sessions.some((rule) => isMeant(rule, source, id)))) return true;
    if ([...roots, ...(cwd === undefined ? [] : [cwd])].some((path) => this.hasPath(path))) return true;
    if (this.rules.projects.length === 0) return false;
    const names = this.projects.at(cwd ?? roots[0], remote);
    return this.rules.projects.some((rule) => names.some((name) => isSameName(rule, name)));
  }

  /** A session without what it says in summary of forgotten ones. */
  private withoutSummaries(delta: SessionDelta): SessionDelta {
    const all = delta.facts.flatMap(({ titles }) => titles?.summaries ?? []);
    const forgotten = all.filter(({ leaf }) => this.withheld.hasRecord(hash53(leaf)));
    if (forgotten.length === 0) return delta;
    const texts = new Set(forgotten.map(({ text }) => text));
    return {
      ...delta,
      facts: delta.facts.map((facts) => ({
        ...facts,
        titles: {
          ...facts.titles,
          summaries: facts.titles?.summaries?.filter((one) => !forgotten.includes(one)) ?? [],
        },
      })),
      chunks: delta.chunks.map((chunk) => chunkWithoutSummaries(chunk, texts)),
    };
  }

  /** Where the configuration is not as it was, what it had left out is read again. */
  followRules(keeper: Keeper): void {
    const stamp = hash53(JSON.stringify(this.rules));
    if (this.archive.state('exclude') === stamp) return;
    this.archive.db.transaction(() => {
      this.withheld.recallLeftOut();
      keeper.setState('exclude', stamp);
    });
  }
}

/** What is not to be kept, for one who only reads. */
export function readersExclusion({ home, archive, catalog }: Stores, env: Environment): Exclusion {
  const { exclude, projects } = readConfig(home);
  const settings = { aliases: projects.aliases, home: env.home };
  const evidence = () => evidenceOf({ archive: archive.db, index: catalog.db }, settings);
  return new Exclusion(exclude, env.home, archive, new ProjectNames(evidence));
}

/** Of files that were seen, those that are to be kept. */
export function keptOf<File extends SeenFile>(stores: Stores, env: Environment, files: readonly File[]): File[] {
  const exclusion = readersExclusion(stores, env);
  return files.filter(({ source, root, path }) => {
    const unit = source.unitAt?.(root, path);
    return unit && !exclusion.hasPath(path) && !exclusion.hasUnit(unit, knownAt(stores.archive, source.id, unit)[0]);
  });
}

interface SeenFile {
  readonly source: Source;
  readonly root: Root;
  readonly path: string;
}

/** Whether a rule names a session: its id or key, or a beginning that is long enough. */
function isMeant(rule: string, source: string, nativeId: string): boolean {
  const key = `${source}:${nativeId}`;
  if (rule === key || rule === nativeId) return true;
  return (
    (nativeId.startsWith(rule) && rule.length >= SHORTEST_BEGINNING) ||
    (key.startsWith(rule) && rule.length >= source.length + 1 + SHORTEST_BEGINNING)
  );
}

function isSameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** A folder's path as it was said, and as agents may note it: without the links that lead there. It need not be there. */
function spellingsOf(path: string): string[] {
  for (let above = path; dirname(above) !== above; above = dirname(above))
    try {
      const real = realpathSync(above);
      return real === above ? [path] : [path, join(real, relative(above, path))];
    } catch {
      // What is above it may still be there.
    }
  return [path];
}

/** A path as the folder it may be, so that `/a/b` is not found in `/a/bc`. Windows does not tell cases apart. */
function folderOf(path: string): string {
  const isWindows = /^(?:[A-Za-z]:|\\\\)/.test(path);
  const slashes = isWindows ? path.replaceAll('\\', '/').toLowerCase() : path;
  return `${slashes.replace(/\/+$/, '')}/`;
}
