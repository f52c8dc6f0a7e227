import type { Attachment, Where } from '../../transcript/index.ts';
import { type Fields, fields, text } from '../fields.ts';
import { at } from './conversation.ts';

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
export function fileAttachment(type: string, attachment: Fields, record: Fields, where: Where): Attachment {
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
