import type { NoticeKind } from '../../transcript/index.ts';

/** What a text under the user's name is: something a person asked, or something the program put there. */
export type Said =
  | { readonly as: 'prompt'; readonly text: string }
  | { readonly as: 'notice'; readonly kind: NoticeKind; readonly text: string };

/** Envelopes that the program writes under the user's name. Seen from 0.34 to 0.171. */
const ENVELOPE =
  /^\s*<(environment_context|user_instructions|INSTRUCTIONS|skill|permissions instructions|app-context|collaboration_mode|model_switch|subagent_notification|goal_context|codex_internal_context|recommended_plugins|plugins_instructions|skills_instructions|apps_instructions|personality_spec|multi_agent_role|multi_agent_mode|user_action|tools|hook_prompt|realtime_conversation)\b[^>]*>/;

const PROGRAM_TEXTS = /^\s*(?:# AGENTS\.md instructions\b|<permissions instructions>|Approved command prefix saved)/;

/** What editors put before a prompt; the prompt follows under this heading. */
const REQUEST = /(?:^|\n)## My request for Codex:[ \t]*\n/;

/** Tells a text apart into what the program put there and the prompt. */
export function tellApart(said: string): Said[] {
  if (said.trim() === '') return [];
  if (/^\s*<turn_aborted>/.test(said)) return [{ as: 'notice', kind: 'interruption', text: inside(said) }];
  if (/^\s*<user_shell_command>/.test(said)) return [{ as: 'notice', kind: 'command', text: shellCommand(said) }];
  const recommended = /^\s*<recommended_plugins>[\s\S]*?<\/recommended_plugins>\s*/.exec(said);
  if (recommended && recommended[0].length < said.length)
    return [
      { as: 'notice', kind: 'system', text: recommended[0].trim() },
      ...tellApart(said.slice(recommended[0].length)),
    ];
  if (ENVELOPE.test(said) || PROGRAM_TEXTS.test(said)) return [{ as: 'notice', kind: 'system', text: said }];
  const request = REQUEST.exec(said);
  if (!request) return [{ as: 'prompt', text: said }];
  const context = said.slice(0, request.index);
  const asked = said.slice(request.index + request[0].length);
  if (asked.trim() === '') return [{ as: 'prompt', text: said }];
  const prompt: Said = { as: 'prompt', text: asked };
  return context.trim() === '' ? [prompt] : [{ as: 'notice', kind: 'system', text: context.trim() }, prompt];
}

/** A command that the person ran by `!`, as it was typed, and what it printed. */
function shellCommand(said: string): string {
  const command = between(said, '<command>', '</command>');
  if (command === undefined) return said;
  const result = between(said, '<result>', '</result>') ?? '';
  const printed = result.replace(/^(?:Exit code:[^\n]*\n)?(?:Duration:[^\n]*\n)?(?:Output:\n?)?/, '').trim();
  return printed === '' ? `! ${command}` : `! ${command}\n${printed}`;
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
