import { type Fields, fields, list, text } from '../fields.ts';
import type { NotShownCounter } from '../not-shown.ts';
import type { Calls } from './calls.ts';
import type { Conversation, Told } from './conversation.ts';
import { imageOf } from './outputs.ts';
import { QUIET_COMPLETED } from './records.ts';

/** In paginated histories all that was said and done is an item that was completed. Gives the name of an unknown one. */
export function completedItem(
  item: Fields,
  told: Told,
  to: Conversation,
  calls: Calls,
  notShown: NotShownCounter,
): string | undefined {
  const type = text(item.type) ?? 'untyped';
  if (QUIET_COMPLETED.has(type)) {
    notShown.add(`event_msg/item_completed/${type}`);
    return undefined;
  }
  const id = text(item.id) ?? '';
  switch (type) {
    case 'UserMessage': {
      const blocks = list(item.content).map(fields);
      const said = blocks.flatMap((block) => text(block.text) ?? []).join('\n');
      const images = blocks.filter((block) => text(block.text) === undefined && text(block.type)?.includes('image'));
      to.asked(
        said,
        images.map((image) => imageOf(image, told.where, told.at)),
        told,
      );
      return undefined;
    }
    case 'AgentMessage': {
      const said = list(item.content).flatMap((block) => text(fields(block).text) ?? []);
      to.answered(said.join('\n'), 'event', told);
      return undefined;
    }
    case 'Reasoning':
      for (const said of [...list(item.summary_text), ...list(item.raw_content)])
        to.thought(text(said) ?? '', 'event', told);
      return undefined;
    case 'CommandExecution':
      return calls.commandEnded(id, item, told);
    case 'FileChange':
      return calls.patchEnded(id, item, told);
    case 'McpToolCall': {
      const { server, tool, arguments: input, result, error } = item;
      return calls.mcpEnded(id, { server, tool, input, result: result ?? error }, told);
    }
    case 'SubAgentActivity':
      if (item.kind === 'started') calls.spawned(id, item.agent_thread_id);
      return undefined;
    case 'CollabAgentToolCall':
      return calls.collaborated(id, item, told);
    case 'WebSearch':
    case 'Extension':
      return calls.searched(id, item, told);
    default:
      return `event_msg/item_completed/${type}`;
  }
}
