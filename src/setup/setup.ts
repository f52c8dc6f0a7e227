import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Entry, type Installer, type Machine, Unreadable } from '../agents/install.ts';
import { SOURCES } from '../agents/registry.ts';
import type { Home } from '../home/paths.ts';
import { contentOf, removeEmpty, writeWhole } from './files.ts';
import { hashOf, readBackup, SetupRecord, type Touched } from './record.ts';
import { bundles, commandOf, install, isInstalled, type Runtime, runtimeOf, sizeOfCopy, uninstall } from './runtime.ts';
import { isWellFormed } from './well-formed.ts';

/** An agent that Portolan can be set up for. */
export interface Agent extends Installer {
  readonly id: string;
  readonly label: string;
}

export const AGENTS: readonly Agent[] = SOURCES.flatMap(({ id, label, install }) =>
  install ? [{ id, label, ...install }] : [],
);

function entryFor(runtime: Runtime, home: string): Entry {
  return { command: runtime.node, args: [runtime.server], env: { PORTOLAN_HOME: home } };
}

/** One thing that setup would do. Nothing is done before `apply`. */
export interface Change {
  readonly kind: 'create' | 'edit' | 'delete' | 'copy';
  readonly path: string;
  readonly what: string;
  /** How much is copied. */
  readonly bytes?: number;
}

export interface Plan {
  readonly agent: Agent;
  readonly action: 'add' | 'remove';
  readonly changes: readonly Change[];
  /** What was met and left alone. */
  readonly notes: readonly string[];
  /** @throws where a file changed since it was planned, or cannot be written */
  apply(): void;
}

const SKILL = 'remember';

/** A file as it will be: undefined where it will be none. */
interface Edit {
  readonly path: string;
  readonly before: Buffer | undefined;
  readonly after: Buffer | undefined;
  readonly what: string;
  readonly touched?: Touched;
}

/** What has to be done for an agent to know Portolan. @throws Unreadable where its file cannot be edited safely */
export function planAdding(agent: Agent, machine: Machine, home: Home): Plan {
  const record = new SetupRecord(home);
  const runtime = runtimeOf(home);
  const needsRuntime = !isInstalled(runtime);
  const config = agent.config(machine);
  const before = contentOf(config.path);
  const text = before === undefined ? undefined : textOf(config.path, before);
  const known = record.touched(agent.id);
  const notes: string[] = [];

  const edits: Edit[] = [];
  const entry = entryFor(runtime, home.path);
  // Also where it is current: a file that cannot be read is refused.
  const wanted = config.added(text, entry);
  checkEdited(config.path, text, wanted);
  if (text === undefined || !config.isCurrent(text, entry)) {
    const current = text === undefined ? undefined : config.current(text);
    const last = known.find((one) => one.path === config.path);
    if (current !== undefined && !last)
      notes.push(`An entry “portolan” of your own is replaced in ${config.path}; --remove puts it back.`);
    edits.push({
      path: config.path,
      before,
      after: Buffer.from(wanted),
      what: current === undefined ? 'register the MCP server “portolan”' : 'update the MCP server “portolan”',
      touched: {
        ...touchedAt(config.path, before, wanted, last),
        ...(!last && current !== undefined && { replaced: current }),
        ...(last?.replaced !== undefined && { replaced: last.replaced }),
        ...((last?.madeParent ?? config.needsParent(text)) && { madeParent: true }),
      },
    });
  }

  const skill = join(agent.skills(machine), SKILL, 'SKILL.md');
  const ours = skillFor(commandOf(runtime, machine.variables));
  const there = contentOf(skill);
  const lastSkill = known.find((one) => one.path === skill);
  const isTheirs = there !== undefined && lastSkill?.after !== hashOf(there);
  if (isTheirs && !there.equals(ours))
    notes.push(`${skill} was not written by setup, or was changed since: it is left alone.`);
  else if (!there?.equals(ours))
    edits.push({
      path: skill,
      before: there,
      after: ours,
      what: `${there ? 'update' : 'add'} the skill “${SKILL}”`,
      touched: touchedAt(skill, there, ours, lastSkill),
    });

  const changes = [
    ...(needsRuntime
      ? [
          {
            kind: 'copy' as const,
            path: runtime.folder,
            what: 'copy Node and Portolan to Portolan’s own folder',
            bytes: sizeOfCopy(),
          },
        ]
      : []),
    ...edits.map(changeOf),
  ];
  return {
    agent,
    action: 'add',
    changes,
    notes,
    apply() {
      if (needsRuntime) install(runtime);
      let touched = known;
      for (const edit of edits) {
        const one = edit.touched!;
        const last = known.find((each) => each.path === edit.path);
        const backup = last ? one.backup : edit.before === undefined ? null : record.backUp(agent.id, edit.before);
        touched = [...touched.filter((each) => each.path !== edit.path), { ...one, backup }];
        // Noted first: what is noted and not done is undone without harm.
        record.note(agent.id, touched);
        write(edit);
      }
    },
  };
}

/** The skill, naming a command that exists on this machine. @throws where the bundles are not whole */
function skillFor(command: string): Buffer {
  const content = contentOf(join(bundles(), 'integrations', 'skills', SKILL, 'SKILL.md'));
  if (!content) throw new Error('The bundles are incomplete: npm run build');
  return Buffer.from(content.toString('utf8').replaceAll('`portolan ', `\`${command} `));
}

/** What has to be done for an agent to be as it was. @throws Unreadable where its file cannot be edited safely */
export function planRemoving(agent: Agent, machine: Machine, home: Home): Plan {
  const record = new SetupRecord(home);
  const known = record.touched(agent.id);
  const config = agent.config(machine);
  const notes: string[] = [];
  const edits: Edit[] = [];
  // Files elsewhere too: the agent's folder may have been another one then.
  const paths = new Set([config.path, ...known.map((one) => one.path)]);
  for (const path of paths) {
    const before = contentOf(path);
    if (before === undefined) continue;
    const last = known.find((one) => one.path === path);
    const isConfig = path === config.path || !path.endsWith('SKILL.md');
    if (last && last.after === hashOf(before)) {
      const after = last.backup === null ? undefined : readBackup(last.backup);
      edits.push({ path, before, after, what: after ? 'restore it as it was' : 'delete it: setup created it' });
    } else if (isConfig) {
      const text = textOf(path, before);
      if (config.current(text) === undefined) {
        // Says why, where it cannot be read at all.
        config.removed(text, {});
        continue;
      }
      if (!last) {
        notes.push(`The entry “portolan” in ${path} is not from setup: it is left alone.`);
        continue;
      }
      const after = config.removed(text, last);
      checkEdited(path, text, after);
      edits.push({
        path,
        before,
        after: Buffer.from(after),
        what: 'remove the MCP server “portolan”; everything else stays',
      });
    } else notes.push(`${path} was changed since setup wrote it: it is left alone.`);
  }
  const isLast = record.agents().every((id) => id === agent.id);
  const runtime = runtimeOf(home);
  const removesRuntime = known.length > 0 && isLast && existsSync(runtime.folder);
  return {
    agent,
    action: 'remove',
    changes: [
      ...edits.map(changeOf),
      ...(removesRuntime
        ? [{ kind: 'delete' as const, path: runtime.folder, what: 'delete the copy of Node and Portolan' }]
        : []),
    ],
    notes,
    apply() {
      for (const edit of edits) write(edit);
      for (const one of known) for (const folder of [...one.madeFolders].reverse()) removeEmpty(folder);
      for (const { backup } of known) if (backup !== null) rmSync(backup, { force: true });
      record.note(agent.id, []);
      if (removesRuntime) uninstall(runtime);
    },
  };
}

/** @throws Unreadable where an agent could not read its file of settings any more, or cannot as it is */
function checkEdited(path: string, before: string | undefined, after: string): void {
  if (isWellFormed(path, after)) return;
  const wasRight = before === undefined || isWellFormed(path, before);
  const reason = wasRight ? 'this change would leave it malformed' : 'it is malformed';
  throw new Unreadable(`${path} was left alone: ${reason}.`);
}

/** What is noted of a file. What was noted before stays true only if nobody changed the file in between. */
function touchedAt(
  path: string,
  before: Buffer | undefined,
  after: Buffer | string,
  last: Touched | undefined,
): Touched {
  const isUnbroken = !last || (before !== undefined && last.after === hashOf(before));
  return {
    path,
    backup: last?.backup ?? null,
    // A hash that no file has: then undoing takes out our entry, and all else stays.
    after: isUnbroken ? hashOf(after) : 'edited since',
    madeFolders: last?.madeFolders ?? missingFolders(dirname(path)),
  };
}

function missingFolders(folder: string): string[] {
  return existsSync(folder) ? [] : [...missingFolders(dirname(folder)), folder];
}

function changeOf({ path, before, after, what }: Edit): Change {
  return { kind: before === undefined ? 'create' : after === undefined ? 'delete' : 'edit', path, what };
}

function write({ path, before, after }: Edit): void {
  const now = contentOf(path);
  if (before === undefined ? now !== undefined : !now?.equals(before))
    throw new Error(`${path} was changed by another program just now. Nothing was written to it; try again.`);
  if (after === undefined) rmSync(path);
  else writeWhole(path, after);
}

/** @throws Unreadable where it is no UTF-8: written back, it would be another file */
function textOf(path: string, content: Buffer): string {
  const text = content.toString('utf8');
  if (Buffer.from(text).equals(content)) return text;
  throw new Unreadable(`${path} was left alone: it is not valid UTF-8.`);
}
