import type { NoticeKind } from '../../transcript/index.ts';
import { type Fields, fields, text } from '../fields.ts';
import { injectedWhole, withoutRemindersBefore } from './injected.ts';

/** What a user record's text is: something a person asked, or something the program put there. */
export type Said = Prompt | Noticed | Injected;

export interface Prompt {
  readonly as: 'prompt';
  readonly text: string;
}

export interface Noticed {
  readonly as: 'notice';
  readonly kind: NoticeKind;
  readonly text: string;
}

/** Written for the model alone: `kind` is what it is counted under. */
interface Injected {
  readonly as: 'injected';
  readonly kind: string;
}

/** Beginnings of texts that the program wrote under the user's name. Seen in 1.0.89 to 2.1.332. */
const PROGRAM_TEXTS: readonly (readonly [RegExp, NoticeKind])[] = [
  [/^\[Request interrupted/, 'interruption'],
  [/^<(?:task-notification|user-memory-input|agent-notification)>/, 'system'],
  [/^(?:Stop|SubagentStop|PreToolUse|PostToolUse|UserPromptSubmit) hook (?:feedback|blocking error)/, 'system'],
  [/^This session is being continued from a previous conversation/, 'compaction'],
  [/^Unknown (?:slash command|skill|command):/, 'command'],
  [/^\[Image: (?:source|original)/, 'system'],
];

/** What editors and the program put before a prompt. */
const WRAPPERS =
  /^\s*<(system-reminder|ide_opened_file|ide_selection|ide_diagnostics|new-diagnostics|user-prompt-submit-hook)>[\s\S]*?<\/\1>\s*/;

/**
 * Tells the texts of a user record apart: what was injected before a prompt is named, wrappers become notices of their
 * own, envelopes of commands are spelled as they were typed, what is left is the prompt.
 */
export function tellApart(said: string): Said[] {
  const whole = injectedWhole(said, false);
  if (whole !== undefined) return [{ as: 'injected', kind: whole }];
  const freed = withoutRemindersBefore(said);
  const out: Said[] = freed.kinds.map((kind) => ({ as: 'injected', kind }));
  let rest = freed.text;
  for (let wrapper = WRAPPERS.exec(rest); wrapper; wrapper = WRAPPERS.exec(rest)) {
    out.push({ as: 'notice', kind: 'system', text: wrapper[0].trim() });
    rest = rest.slice(wrapper[0].length);
  }
  if (rest.trim() === '') return out;
  const command = commandTyped(rest);
  if (command !== undefined && EXPANDED.test(rest)) out.push({ as: 'prompt', text: command });
  else if (command !== undefined) out.push({ as: 'notice', kind: 'command', text: command });
  else {
    const program = PROGRAM_TEXTS.find(([beginning]) => beginning.test(rest));
    out.push(program ? { as: 'notice', kind: program[1], text: rest } : { as: 'prompt', text: rest });
  }
  return out;
}

/**
 * Commands that stand for a prompt (a person's own, a skill's) are written with their message first, and the model
 * answers them; those that the program carries out itself begin with their name. Seen in 1.0.89 to 2.1.332.
 */
const EXPANDED = /^\s*<command-message>/;

/** The command as it was typed, or its output, where the text is the envelope of one. */
function commandTyped(envelope: string): string | undefined {
  const start = envelope.trimStart();
  if (start.startsWith('<command-name>') || start.startsWith('<command-message>')) {
    const name = tag(start, 'command-name') ?? `/${tag(start, 'command-message') ?? ''}`;
    const args = tag(start, 'command-args');
    return args ? `${name} ${args}` : name;
  }
  if (start.startsWith('<bash-input>')) return `! ${tag(start, 'bash-input') ?? ''}`;
  if (start.startsWith('<bash-stdout>') || start.startsWith('<bash-stderr>'))
    return joined(tag(start, 'bash-stdout'), tag(start, 'bash-stderr'));
  if (start.startsWith('<local-command-stdout>') || start.startsWith('<local-command-stderr>'))
    return joined(tag(start, 'local-command-stdout'), tag(start, 'local-command-stderr'));
  return undefined;
}

const joined = (...texts: (string | undefined)[]) => texts.filter((part) => part).join('\n');

function tag(envelope: string, name: string): string | undefined {
  const from = envelope.indexOf(`<${name}>`);
  if (from < 0) return undefined;
  const begin = from + name.length + 2;
  const end = envelope.lastIndexOf(`</${name}>`);
  return (end < begin ? envelope.slice(begin) : envelope.slice(begin, end)).trim();
}

/** Whether a message says that the program itself wrote it: notices of background tasks, messages of other agents. */
export function isFromProgram(record: Fields): boolean {
  const kind = text(fields(record.origin).kind) ?? text(record.origin);
  return kind !== undefined && kind !== 'human' && kind !== 'user';
}
