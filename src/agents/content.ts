import { fields, list, text } from './fields.ts';

/** The text of a message's content: a text itself, or the texts of its parts one below the other; undefined where it has none. */
export function textOfContent(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  const texts = list(content).flatMap((part) => text(fields(part).text) ?? []);
  return texts.length > 0 ? texts.join('\n') : undefined;
}
