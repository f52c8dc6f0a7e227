import type { Attachment, Where } from '../../transcript/index.ts';
import { type Fields, fields, list, text } from '../fields.ts';
import { at, type Conversation } from './conversation.ts';
import { hookNotice } from './notices.ts';
import { isFromProgram } from './prompts.ts';
import { QUIET_ATTACHMENTS } from './records.ts';
import { textOfContent } from './tools.ts';

/** Tells what a record of type `attachment` adds to the conversation; gives the name of its type where that is unknown. */
export function tellAttachment(
  conversation: Conversation,
  record: Fields,
  where: Where,
  isFirst: () => boolean,
): string | undefined {
  conversation.envelope(record);
  const attachment = fields(record.attachment);
  const type = text(attachment.type) ?? 'untyped';
  if (QUIET_ATTACHMENTS.has(type)) {
    conversation.hidden(record, `attachment/${type}`);
    return undefined;
  }
  if (list(record.rendered).length + list(record.renderedInHumanTurn).length > 0)
    conversation.notShown.add('attachment rendered');
  switch (type) {
    case 'queued_command':
      if (isFirst()) queued(conversation, record, attachment, where);
      return undefined;
    case 'file':
    case 'directory':
    case 'edited_text_file':
    case 'edited_image_file':
    case 'pdf_reference':
      conversation.notShown.add(`attachment/${type} content`);
      conversation.part(record, fileAttachment(type, attachment, record, where));
      return undefined;
    default:
      if (type.startsWith('hook_')) hook(conversation, record, attachment, where);
      else conversation.link(record);
      return type.startsWith('hook_') ? undefined : `attachment:${type}`;
  }
}

function hook(conversation: Conversation, record: Fields, attachment: Fields, where: Where): void {
  const said = hookNotice(attachment);
  const printed = text(attachment.stdout)?.trim() ?? '';
  if (!said.includes(printed)) conversation.notShown.add('attachment/hook stdout');
  if (text(attachment.command) !== undefined) conversation.notShown.add('attachment/hook command');
  conversation.notice(record, 'system', said, where);
}

/** A prompt typed while the agent was busy stands where it was handed over; notices of tasks come the same way. */
function queued(conversation: Conversation, record: Fields, attachment: Fields, where: Where): void {
  const { text: said, others } = textOfContent(attachment.prompt);
  const attachments = others.map((other) => attachmentOf(other, record, where));
  const mode = text(attachment.commandMode);
  const isPerson =
    (mode === undefined || mode === 'prompt') && attachment.isMeta !== true && !isFromProgram(attachment);
  if (isPerson) conversation.said(record, said === undefined ? [] : [said], where, attachments);
  else conversation.notice(record, 'system', said ?? '', where);
}

/** An image or a document among the blocks of a message. Its bytes are counted, never kept. */
export function attachmentOf(block: Fields, record: Fields, where: Where): Attachment {
  const source = fields(block.source);
  const mime = text(source.media_type);
  const data = text(source.data);
  const name = text(block.title) ?? text(block.tool_name);
  return {
    type: 'attachment',
    kind: text(block.type) ?? 'unknown',
    where,
    ...at(record),
    ...(name !== undefined && { name }),
    ...(mime !== undefined && { mime }),
    // base64: four characters hold three bytes.
    ...(data !== undefined && { bytes: Math.floor((data.length * 3) / 4) }),
  };
}

/** A file that the program showed the model with a prompt. */
function fileAttachment(type: string, attachment: Fields, record: Fields, where: Where): Attachment {
  const name = text(attachment.filename) ?? text(attachment.path);
  const content = text(fields(fields(attachment.content).file).content) ?? text(attachment.snippet);
  return {
    type: 'attachment',
    kind: type === 'edited_text_file' ? 'edited file' : type.replaceAll('_', ' '),
    where,
    ...at(record),
    ...(name !== undefined && { name }),
    ...(content !== undefined && { bytes: Buffer.byteLength(content) }),
  };
}
