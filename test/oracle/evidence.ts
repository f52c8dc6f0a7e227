import { rmSync } from 'node:fs';
import { copyOfEvidence, type Evidence } from '../support/evidence.ts';
import { stateOf } from '../support/folders.ts';
import { type IndexReport, openProduct, type Product, type Shown, type ShownTurn } from './product.ts';

/** A home in which an agent wrote, as the product shows it. */
export interface HeldHome {
  /** Its other doors. */
  readonly product: Pick<Product, 'search' | 'resume'>;
  readonly home: string;
  readonly report: IndexReport['sources'][string];
  /** What of the home changed while it was read: nothing. */
  readonly changed: readonly string[];
  readonly shown: ReadonlyMap<string, Shown>;
  readonly notShown: Readonly<Record<string, number>>;
  remove(): void;
}

/** Reads a copy of a home with the product, and shows all sessions of a source. */
export async function holdHome(
  source: string,
  names: readonly string[],
  layout: Pick<Evidence, 'prepare'> = {},
): Promise<HeldHome> {
  const home = copyOfEvidence(names, layout);
  const before = new Set(stateOf(home));
  const product = openProduct(home);
  const report = (await product.index()).sources[source];
  if (!report) throw new Error(`no source ${source}`);
  const sessions = (await product.sessions()).filter((session) => session.source === source);
  const shown = await product.showAll(sessions);
  return {
    product,
    home,
    report,
    changed: stateOf(home).filter((one) => !before.has(one)),
    shown: new Map(shown.map((one) => [one.session.native_id, one])),
    notShown: await product.notShown(source),
    remove() {
      product.remove();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** What a witness says was said, one after the other, and what is shown of it: a long one is kept in part, its beginning. */
export function compared(
  said: readonly string[],
  turns: readonly ShownTurn[],
): { expected: string[]; found: string[] } {
  const found = turns.flatMap(({ parts }) =>
    parts.flatMap((part) => {
      const isCut = part.cut !== undefined;
      if (part.type === 'text') return [{ text: `${part.role}: ${part.text}`, isCut }];
      if (part.type === 'thinking' || part.type === 'notice') return [{ text: `${part.type}: ${part.text}`, isCut }];
      if (part.type === 'attachment') return [{ text: `attachment: ${part.kind}`, isCut }];
      return [{ text: `${part.name} ${JSON.stringify(part.input)}: ${part.output ?? ''}`, isCut }];
    }),
  );
  return {
    expected: said.map((one, i) => (found[i]?.isCut ? one.slice(0, found[i].text.length) : one)),
    found: found.map(({ text }) => text),
  };
}
