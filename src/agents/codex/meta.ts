import type { Client } from '../../transcript/index.ts';
import { type Fields, fields, list, text } from '../fields.ts';
import { plainPath } from '../plain-path.ts';
import type { SessionFacts } from '../source.ts';

/** What a `session_meta` says of its session. */
export function factsOf(meta: Fields): SessionFacts {
  const cwd = text(meta.cwd);
  const roots = [cwd, ...list(meta.runtime_workspace_roots).map(text)].flatMap((path) => path ?? []).map(plainPath);
  const git = fields(meta.git);
  const branch = text(git.branch);
  const remote = text(git.repository_url);
  const parent = parentOf(meta);
  const title = parent?.relation === 'subagent' ? agentTitle(meta) : undefined;
  return {
    kind: 'transcript',
    client: clientOf(meta),
    ...(cwd !== undefined && { cwd: plainPath(cwd) }),
    ...(roots.length > 0 && { roots: [...new Set(roots)] }),
    ...(branch !== undefined && { branch }),
    ...(remote !== undefined && { remote }),
    ...(parent && { parent }),
    ...(title !== undefined && { titles: { agent: title } }),
  };
}

function parentOf(meta: Fields): SessionFacts['parent'] {
  const own = text(meta.id);
  const subagent = fields(meta.source).subagent;
  const spawner = text(fields(fields(subagent).thread_spawn).parent_thread_id) ?? text(meta.parent_thread_id);
  if (spawner !== undefined && spawner !== own) return { nativeId: spawner, relation: 'subagent' };
  const origin = text(meta.forked_from_id) ?? text(fields(meta.history_base).thread_id);
  if (origin === undefined || origin === own) return undefined;
  return { nativeId: origin, relation: subagent === undefined ? 'fork' : 'subagent' };
}

/** The name that Codex gives a sub-agent, and what it is to do. */
function agentTitle(meta: Fields): string | undefined {
  const spawn = fields(fields(fields(meta.source).subagent).thread_spawn);
  const nickname = text(meta.agent_nickname) ?? text(spawn.agent_nickname);
  const path = text(meta.agent_path) ?? text(spawn.agent_path);
  const role = path?.split('/').at(-1) ?? text(meta.agent_role) ?? text(spawn.agent_role);
  if (nickname === undefined) return role;
  return role === undefined ? nickname : `${nickname} (${role})`;
}

function clientOf(meta: Fields): Client {
  const originator = text(meta.originator);
  const source = text(meta.source);
  const version = text(meta.cli_version);
  const provider = text(meta.model_provider);
  const surface = surfaceOf(originator, source);
  return {
    name: originator ?? 'codex',
    ...(version !== undefined && { version }),
    ...(surface !== undefined && { surface }),
    ...(provider !== undefined && { provider }),
  };
}

/** Where it ran. The program's own name says more than the source, which calls every app server `vscode`. */
function surfaceOf(originator: string | undefined, source: string | undefined): string | undefined {
  const name = originator?.toLowerCase() ?? '';
  if (name.includes('desktop')) return 'desktop';
  if (name.includes('exec')) return source === 'cli' ? 'cli' : 'exec';
  if (/vscode|vs code|cursor|windsurf|jetbrains|xcode|ide\b/.test(name)) return 'editor';
  if (name.includes('tui') || name === 'codex_cli_rs') return source === 'exec' ? 'exec' : 'cli';
  return source;
}

/** How the agent went about a turn: what it was allowed to do, how hard it was to think, where in the world. */
export function settingsOf(context: Fields): Client {
  const policy = policyOf(context);
  const effort = text(context.effort) ?? text(fields(fields(context.collaboration_mode).settings).reasoning_effort);
  const timezone = text(context.timezone);
  return {
    ...(policy !== undefined && { policy }),
    ...(effort !== undefined && { effort }),
    ...(timezone !== undefined && { timezone }),
  };
}

function policyOf(context: Fields): string | undefined {
  const approval = text(context.approval_policy) ?? text(fields(context.approval_policy).type);
  const sandbox = text(fields(context.sandbox_policy).type) ?? text(fields(context.sandbox_policy).mode);
  const said = [approval, sandbox ?? text(context.sandbox_policy)].filter((one) => one !== undefined);
  return said.length > 0 ? said.join(', ') : undefined;
}
