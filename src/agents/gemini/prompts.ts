import type { Attachment } from '../../transcript/index.ts';
import { fields, list, text } from '../fields.ts';

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
/** Texts that are nothing else than what the program writes for the model. Seen in 0.61, and in 2026-04. */
const INJECTED: readonly (readonly [kind: string, is: RegExp])[] = [
  ['injected/session_context', /^<session_context>[\s\S]*<\/session_context>$/],
  ['injected/system_note', /^<system_note>[\s\S]*<\/system_note>$/],
  ['injected/state_snapshot', /^<state_snapshot>[\s\S]*<\/state_snapshot>$/],
  ['injected/hook_context', /^<hook_context>[\s\S]*<\/hook_context>$/],
];
/** What the program says to the model in the user's place. */
const OF_PROGRAM = /^(?:System: (?:Please continue\.$|Potential loop detected)|\[Function Response: )/;

/** Takes a message of the user apart: prompt, files that it refers to, results of tools, what the program put in. */
export function promptIn(content: unknown): Asked {
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
        if (name === undefined) injected.push('injected/referenced file');
        else attachments.push({ kind: 'file', name: name.slice(1) });
      } else if (kind !== undefined) injected.push(kind);
      else if (OF_PROGRAM.test(trimmed)) notices.push(one);
      else if (trimmed !== '') said.push(one);
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
