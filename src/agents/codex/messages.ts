import type { Part } from '../../transcript/index.ts';
import { type Fields, fields, list, text } from '../fields.ts';
import type { NotShownCounter } from '../not-shown.ts';
import type { Told } from './conversation.ts';
import { imageOf } from './outputs.ts';
import { type Said, tellApart } from './prompts.ts';
import { asProgram, developerText, isPictureTag } from './wording.ts';

/** A message of the model's input or answer as its texts, each told apart, and its pictures and sounds. */
export function messageApart(
  item: Fields,
  told: Told,
  notShown: NotShownCounter,
): { readonly said: readonly Said[]; readonly attachments: readonly Part[] } {
  const blocks = typeof item.content === 'string' ? [{ text: item.content }] : list(item.content).map(fields);
  const typed = text(item.message);
  if (blocks.length === 0 && typed !== undefined) blocks.push({ text: typed });
  const kinds = list(fields(item.internal_chat_message_metadata_passthrough).content_item_kinds).map(text);
  const said: Said[] = [];
  const attachments: Part[] = [];
  for (const [index, block] of blocks.entries()) {
    const words = text(block.text);
    const kind = kinds.length === blocks.length ? kinds[index] : undefined;
    if (words === undefined) {
      if (block.type === 'input_image' || block.type === 'input_audio')
        attachments.push(imageOf(block, told.where, told.at));
      else notShown.add('response_item/message block');
    } else if (item.role === 'assistant') said.push({ as: 'prompt', text: words });
    else if (item.role !== 'user') said.push(developerText(words, kind));
    else if (isPictureTag(words)) notShown.add('injected/image tag');
    else said.push(...tellApart(words).map((one) => asProgram(one, kind)));
  }
  return { said, attachments };
}
