import { type Fields, fields, number, text } from '../fields.ts';

/** What a boundary of a compaction says in words. */
export function boundary(record: Fields, content: string): string {
  const meta = fields(record.compactMetadata ?? record.microcompactMetadata);
  const before = number(meta.preTokens);
  const trigger = text(meta.trigger);
  const facts = [trigger, before === undefined ? undefined : `${before} tokens before`].filter(
    (fact) => fact !== undefined,
  );
  return `${content || 'Conversation compacted'}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}`;
}

export function apiError(record: Fields): string {
  const error = fields(record.error);
  const status = number(error.status) ?? number(record.apiErrorStatus);
  const message = text(error.message) ?? text(fields(fields(error.error).error).message) ?? text(record.content) ?? '';
  return `API error${status === undefined ? '' : ` ${status}`}${message ? `: ${message}` : ''}`;
}
