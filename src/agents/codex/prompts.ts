import type { NoticeKind } from '../../transcript/index.ts';
import { injectedWhole } from './injected.ts';

/** What a text under the user's name is: something a person asked, or something the program put there. */
export type Said =
  | { readonly as: 'prompt'; readonly text: string }
  | { readonly as: 'notice'; readonly kind: NoticeKind; readonly text: string }
  | Injected;

/** Written for the model alone: `kind` is what it is counted under. */
export interface Injected {
  readonly as: 'injected';
  readonly kind: string;
  readonly text: string;
}

/** Elements in which the program tells what happened, under the user's name. Seen from 0.34 to 0.171. */
const ENVELOPE =
  /^\s*<(skill|subagent_notification|goal_context|codex_internal_context|user_action|hook_prompt|realtime_conversation)(?=[\s>])[^>]*>[\s\S]*<\/\1>\s*$/;

/** What editors put before a prompt; the prompt follows under this heading. */
const REQUEST = /(?:^|\n)## My request for Codex:[ \t]*\n/;

/** Tells a text apart into what the program put there and the prompt. */
export function tellApart(said: string): Said[] {
  if (said.trim() === '') return [];
  if (/^\s*<turn_aborted>/.test(said)) return [{ as: 'notice', kind: 'interruption', text: inside(said) }];
  if (/^\s*<user_shell_command>/.test(said)) return [{ as: 'notice', kind: 'command', text: shellCommand(said) }];
  const injected = injectedWhole(said);
  if (injected !== undefined) return [{ as: 'injected', kind: injected, text: said }];
  const recommended = /^\s*<recommended_plugins>[\s\S]*?<\/recommended_plugins>\s*/.exec(said);
  if (recommended)
    return [
      { as: 'injected', kind: 'injected/recommended_plugins', text: recommended[0].trim() },
      ...tellApart(said.slice(recommended[0].length)),
    ];
  if (ENVELOPE.test(said)) return [{ as: 'notice', kind: 'system', text: said }];
  const request = REQUEST.exec(said);
  if (!request) return [{ as: 'prompt', text: said }];
  const context = said.slice(0, request.index);
  const asked = said.slice(request.index + request[0].length);
  if (asked.trim() === '') return [{ as: 'prompt', text: said }];
  const prompt: Said = { as: 'prompt', text: asked };
  return context.trim() === '' ? [prompt] : [{ as: 'notice', kind: 'system', text: context.trim() }, prompt];
}

/** The same of a text that an event says a person sent: what is nothing but an envelope was quoted. */
export function sentApart(message: string): Said[] {
  const said = tellApart(message);
  return said.length > 0 && said.every((one) => one.as === 'injected') ? [{ as: 'prompt', text: message }] : said;
}

/** A command that the person ran by `!`, as it was typed, how it failed, and what it printed. */
function shellCommand(said: string): string {
  const command = between(said, '<command>', '</command>');
  if (command === undefined) return said;
  const result = between(said, '<result>', '</result>') ?? '';
  const head = /^(?:Exit code: ?(-?\d+)[^\n]*(?:\n|$))?(?:Duration:[^\n]*(?:\n|$))?(?:Output:\n?)?/.exec(result);
  const failure = head?.[1] === undefined || head[1] === '0' ? '' : `\nexit code ${head[1]}`;
  const printed = result.slice(head?.[0].length ?? 0).trim();
  return `! ${command}${failure}${printed === '' ? '' : `\n${printed}`}`;
}

function inside(said: string): string {
  return between(said, '<turn_aborted>', '</turn_aborted>') ?? said;
}

function between(said: string, open: string, close: string): string | undefined {
  const from = said.indexOf(open);
  if (from < 0) return undefined;
  const to = said.lastIndexOf(close);
  return said.slice(from + open.length, to > from ? to : undefined).trim();
}
