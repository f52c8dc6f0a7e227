import type { Config } from '../home/config.ts';
import type { Database } from '../store/database.ts';
import { type Evidence, evidenceOf, type Project } from './evidence.ts';
import type { Machine } from './permission.ts';
import { ProjectMap } from './project-map.ts';
import { Repositories } from './repository.ts';

const NO_WORK: ReadonlyMap<string, number> = new Map();

/**
 * What the projects of places are called, before sessions of them are kept: every name that may be meant, so that what
 * is not known yet makes no difference.
 */
export class ProjectNames {
  private readonly evidence: () => Evidence;
  private readonly repositories: Repositories | undefined;
  private readonly names = new Map<string, readonly string[]>();
  private map: ProjectMap | undefined;

  /** `evidence` is asked for once, when the first name is. */
  constructor(evidence: () => Evidence, repositories?: Repositories) {
    this.evidence = evidence;
    this.repositories = repositories;
  }

  /** The project's name, and the ends of its key: the repository, with its owner, or with the folders above it. */
  at(cwd: string | undefined, remote: string | undefined): readonly string[] {
    const asked = `${cwd}\n${remote}`;
    const known = this.names.get(asked);
    if (known) return known;
    const found = cwd === undefined ? undefined : this.repositories?.of(cwd);
    this.map ??= new ProjectMap(this.evidence());
    const projects = [
      this.map.of(cwd, remote, NO_WORK),
      found && this.map.of(found.root, found.remote ?? remote, NO_WORK),
    ].filter((project) => project !== undefined);
    const names = [...new Set(projects.flatMap(({ name, key }) => [name, ...endsOf(name), ...endsOf(key)]))];
    this.names.set(asked, names);
    return names;
  }
}

/** The project of the folder that the user is in, by the rules that sessions get theirs by. */
export function projectHere(
  cwd: string,
  databases: { readonly archive: Database; readonly index: Database },
  aliases: Config['projects']['aliases'],
  machine: Machine,
): Project | undefined {
  const evidence = evidenceOf(databases, { aliases, home: machine.home });
  const found = new Repositories(machine).of(cwd);
  const seen = found ? [...evidence.seen, { path: cwd, ...found, at: Date.now() }] : evidence.seen;
  return new ProjectMap({ ...evidence, seen, places: [...evidence.places, { cwd }] }).of(cwd, undefined, NO_WORK);
}

/** `web`, `a/web` and so on. */
function endsOf(name: string): string[] {
  const parts = name.split('/').filter((part) => part !== '');
  return parts.map((_, i) => parts.slice(i).join('/'));
}
