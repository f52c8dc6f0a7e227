import type { Attachment } from '../../transcript/index.ts';
import { fields, isFields, list, text } from '../fields.ts';

/** What a message under the user's name holds. */
export interface Asked {
  /** What the person typed; undefined where the program alone wrote. */
  readonly prompt?: string;
  readonly notices: readonly string[];
  readonly attachments: readonly Omit<Attachment, 'type' | 'where' | 'at'>[];
  readonly results: readonly {
    readonly id: string;
    readonly response: { readonly output?: string; readonly isError: boolean };
  }[];
  /** What the program put in for the model alone, by kind. */
  readonly injected: readonly string[];
}

const FILES_BEGIN = '--- Content from referenced files ---';
const FILES_END = '--- End of content ---';
const REFERENCED = /^Content from (@.+):$/;
const REFERENCED_FILE = 'injected/referenced file';
/** Those files in one text with the prompt, behind it. Seen in Qwen Code of 2025-11. */
const FILES_BEHIND = /\n?--- Content from referenced files ---[\s\S]+?(?:\n--- End of content ---|$)/g;
const NAMES = /^Content from @(.+):$/gm;
/** Seen in Qwen Code of 2025-11, in one text with the prompt that follows. */
const REMINDER_BEFORE = /^\s*<system-reminder>[\s\S]*?<\/system-reminder>\s*/;
/** Texts that are nothing else than what the program writes for the model. Seen in 0.61, and in 2026-04. */
const INJECTED: readonly (readonly [kind: string, is: RegExp])[] = [
  ['injected/session_context', /^<session_context>[\s\S]*<\/session_context>$/],
  ['injected/system_note', /^<system_note>[\s\S]*<\/system_note>$/],
  ['injected/state_snapshot', /^<state_snapshot>[\s\S]*<\/state_snapshot>$/],
  ['injected/hook_context', /^<hook_context>[\s\S]*<\/hook_context>$/],
  [
    'injected/user-prompt-submit-context',
    /^<qwen:user-prompt-submit-context>[\s\S]*<\/qwen:user-prompt-submit-context>$/,
  ],
];
/** What the program says to the model in the user's place. */
const OF_PROGRAM = /^(?:System: (?:Please continue\.$|Potential loop detected)|\[Function Response: )/;

/**
 * Takes a message of the user apart: prompt, files that it refers to, results of tools, what the program put in.
 * `isReminded`: the program writes reminders before prompts.
 */
export function promptIn(content: unknown, { isReminded }: { readonly isReminded: boolean }): Asked {
  const said: string[] = [];
  const notices: string[] = [];
  const attachments: Omit<Attachment, 'type' | 'where' | 'at'>[] = [];
  const results: Asked['results'][number][] = [];
  const injected: string[] = [];
  let isInFiles = false;
  for (const part of typeof content === 'string' ? [content] : list(content)) {
    const { text: words, inlineData, fileData, functionResponse } = fields(part);
    const one = typeof part === 'string' ? part : typeof words === 'string' ? words : undefined;
    const data = fields(inlineData ?? fileData);
    if (one !== undefined) {
      const trimmed = one.trim();
      const kind = INJECTED.find(([, is]) => is.test(trimmed))?.[0];
      if (trimmed === FILES_BEGIN) isInFiles = true;
      else if (trimmed === FILES_END) isInFiles = false;
      else if (isInFiles) {
        const name = REFERENCED.exec(trimmed)?.[1];
        if (name === undefined) injected.push(REFERENCED_FILE);
        else attachments.push({ kind: 'file', name: name.slice(1) });
      } else if (kind !== undefined) injected.push(kind);
      else if (OF_PROGRAM.test(trimmed)) notices.push(one);
      else {
        const rest = withoutFiles(isReminded ? withoutReminders(one, injected) : one, injected, attachments);
        if (rest.trim() !== '') said.push(rest);
      }
    } else if (text(data.mimeType) !== undefined || text(data.data) !== undefined) {
      const mime = text(data.mimeType);
      attachments.push({ kind: mime?.split('/')[0] ?? 'file', ...(mime !== undefined && { mime }) });
    } else if (functionResponse !== undefined) {
      const { id, response } = fields(functionResponse);
      const output = text(fields(response).output) ?? text(fields(response).error);
      const isError = fields(response).error !== undefined;
      results.push({ id: text(id) ?? '', response: { isError, ...(output !== undefined && { output }) } });
    }
  }
  return { ...(said.length > 0 && { prompt: said.join('\n') }), notices, attachments, results, injected };
}

/** Kinds of a message's parts. */
const PARTS = ['text', 'inlineData', 'fileData', 'functionCall', 'functionResponse', 'thought', 'thoughtSignature'];

/** The name of the first part of a message that is of no known kind. */
export function unknownPart(content: unknown): string | undefined {
  const part = list(content).find((one) => isFields(one) && !PARTS.some((kind) => kind in one));
  return part === undefined ? undefined : `part:${Object.keys(fields(part))[0] ?? 'empty'}`;
}

function withoutReminders(said: string, injected: string[]): string {
  let rest = said;
  while (REMINDER_BEFORE.test(rest)) {
    rest = rest.replace(REMINDER_BEFORE, '');
    injected.push('injected/system-reminder');
  }
  return rest;
}

function withoutFiles(
  said: string,
  injected: string[],
  attachments: Omit<Attachment, 'type' | 'where' | 'at'>[],
): string {
  return said.replace(FILES_BEHIND, (block) => {
    injected.push(REFERENCED_FILE);
    for (const [, name] of block.matchAll(NAMES)) if (name !== undefined) attachments.push({ kind: 'file', name });
    return '';
  });
}
