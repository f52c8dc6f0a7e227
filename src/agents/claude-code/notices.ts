import type { NoticeKind } from '../../transcript/index.ts';
import { type Fields, fields, list, number, text } from '../fields.ts';
import { textOfContent } from './tools.ts';

export interface Told {
  readonly kind: NoticeKind;
  readonly text: string;
}

/** What a record of the program itself says, by its subtype; undefined where it is not known, or says nothing. */
export function systemNotice(subtype: string, record: Fields): Told | undefined {
  const content = text(record.content) ?? '';
  switch (subtype) {
    case 'compact_boundary':
    case 'microcompact_boundary':
      return { kind: 'compaction', text: boundary(record, content) };
    case 'away_summary':
      return { kind: 'summary', text: content };
    case 'model_refusal_fallback':
      return { kind: 'model-change', text: content };
    case 'informational':
    case 'error':
    case 'api_refusal':
      return { kind: 'system', text: content };
    case 'api_error':
      return { kind: 'system', text: apiError(record) };
    case 'stop_hook_summary':
      return { kind: 'system', text: stopHooks(record) };
    default:
      return undefined;
  }
}

/** What hooks answered when the agent was about to stop. */
function stopHooks(record: Fields): string {
  const texts = (field: unknown) => list(field).flatMap((said) => text(said) ?? textOfContent([said]).text ?? []);
  const stopped = text(record.stopReason);
  return [
    ...texts(record.hookErrors).map((error) => `Stop hook error: ${error}`),
    ...texts(record.hookAdditionalContext),
    ...(stopped === undefined ? [] : [`Stopped by a hook: ${stopped}`]),
  ].join('\n');
}

/** What a hook put into the context, or what went wrong in it. */
export function hookNotice(attachment: Fields): string {
  const blocking = fields(attachment.blockingError);
  const parts = [
    textOfContent(attachment.content).text,
    text(attachment.blockingError) ?? text(blocking.blockingError),
    text(attachment.stderr),
  ];
  const said = parts.filter((part) => part !== undefined && part.trim() !== '');
  return said.length > 0 ? said.join('\n') : attachment.type === 'hook_success' ? '' : (text(attachment.stdout) ?? '');
}

/** What the program noted of an answer that is an API error's. */
export function errorDetails(record: Fields): string | undefined {
  const details = text(record.errorDetails);
  return record.isApiErrorMessage === true && details !== undefined ? `API error: ${details}` : undefined;
}

/** What a boundary of a compaction says in words. */
function boundary(record: Fields, content: string): string {
  const meta = fields(record.compactMetadata ?? record.microcompactMetadata);
  const before = number(meta.preTokens);
  const trigger = text(meta.trigger);
  const facts = [trigger, before === undefined ? undefined : `${before} tokens before`].filter(
    (fact) => fact !== undefined,
  );
  return `${content || 'Conversation compacted'}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}`;
}

function apiError(record: Fields): string {
  const error = fields(record.error);
  const status = number(error.status) ?? number(record.apiErrorStatus);
  const message = text(error.message) ?? text(fields(fields(error.error).error).message) ?? text(record.content) ?? '';
  return `API error${status === undefined ? '' : ` ${status}`}${message ? `: ${message}` : ''}`;
}
