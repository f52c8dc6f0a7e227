import { hash53 } from '../../transcript/index.ts';
import { type Fields, fields, list, text } from '../fields.ts';

/** So much of what a record says tells it from another one under its name. */
const TELLING = 200;

/**
 * The names of the records that a file holds. A resumed session may write its records again, under their names; and a
 * program's fault has given one name to two prompts. Hashes, since of a long session there are hundreds of thousands.
 */
export class KnownNames {
  private readonly known = new Map<number, number>();

  /**
   * A record that stands here for the first time, as it is to be known: one that says something else than another
   * of its name is given a name of its own. Undefined for one that was read already.
   */
  first(record: Fields): Fields | undefined {
    const uuid = text(record.uuid);
    if (uuid === undefined) return record;
    const name = hash53(uuid);
    const said = hash53(beginningOf(record));
    const before = this.known.get(name);
    if (before === said) return undefined;
    if (before !== undefined) return this.first({ ...record, uuid: `${uuid}~${said.toString(36)}` });
    this.known.set(name, said);
    return record;
  }
}

/** How a person's record begins; nothing for the others, which grow and change under their names. */
function beginningOf(record: Fields): string {
  if (record.type !== 'user') return '';
  const { content } = fields(record.message);
  const block = typeof content === 'string' ? content : fields(list(content)[0]).text;
  return typeof block === 'string' ? block.slice(0, TELLING) : '';
}
