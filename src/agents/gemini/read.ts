import { fields, isFields, list } from '../fields.ts';
import { readSnapshot } from '../snapshot.ts';
import type { SourceEvent, Unit } from '../source.ts';
import { Chat } from './chat.ts';
import { PromptLog } from './prompt-log.ts';
import { contentOf } from './records.ts';

/** Reads a chat of this family's programs, or their log of prompts. @throws where a document is none */
export async function* read(unit: Unit): AsyncIterable<SourceEvent> {
  const content = contentOf(unit);
  if (unit.layout === 'jsonl') {
    yield* readSnapshot(unit, new Chat(unit), linesOf(content));
    return;
  }
  const document: unknown = JSON.parse(content);
  if (unit.layout === 'prompts') {
    yield* readSnapshot(unit, new PromptLog(unit), list(document));
    return;
  }
  if (!isFields(document)) throw new Error('the file holds no chat');
  const chat = new Chat(unit);
  chat.header(document);
  yield* readSnapshot(unit, chat, list(fields(document).messages));
}

/** The records of a log; an error for a line that is none. The last line may still be written. */
function linesOf(content: string): unknown[] {
  const lines = content.split('\n');
  const last = lines.pop();
  const records = lines.map((line) => (line.trim() === '' ? BLANK : parsed(line)));
  const open = last === undefined || last.trim() === '' ? undefined : parsed(last);
  return open === undefined || open instanceof Error ? records : [...records, open];
}

/** A line without a record keeps its number. */
const BLANK = { $set: {} };

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return new Error('a line that is not JSON');
  }
}
