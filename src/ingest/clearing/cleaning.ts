import { Folders } from '../../archive/folders.ts';
import { type Rewriting, rewriteUnit, unitsOtherThan } from '../../archive/rewrite.ts';
import { redactionStamp } from '../../redact/redact.ts';
import { isClean } from '../deriving/currency.ts';
import { keptPath, Protector } from '../reading/protect.ts';
import type { WritableStores } from '../writable-stores.ts';

/** What is kept, looked at in one transaction. */
const BATCH_BYTES = 24 << 20;

/**
 * Notes first that what is kept was redacted otherwise than it would be now, where it was: a run that is broken off must
 * not leave behind an archive that looks clean.
 */
export function beginCleaning(stores: WritableStores): void {
  if (isClean(stores)) return;
  const { archive, keeper, catalog, begin, commit } = stores;
  const stamp = redactionStamp();
  begin();
  const isNew = archive.isEmpty();
  keeper.setState('redactor', isNew ? stamp : 0);
  if (isNew) catalog.note('redactor', stamp);
  commit();
}

/**
 * Redacts again what is kept of units that the reading before did not replace: their files are gone, cannot be read, are
 * left out by the user. Through with it, the index is of an older redactor than the archive, and is to be made anew.
 */
export function cleanArchive(stores: WritableStores): void {
  if (isClean(stores)) return;
  const { archive, keeper } = stores;
  const stamp = redactionStamp();
  let bytes = 0;
  stores.begin();
  try {
    for (const unit of unitsOtherThan(archive, stamp))
      for (const looked of rewriteUnit(archive, unit, stamp, REWRITING)) {
        bytes += looked;
        if (bytes < BATCH_BYTES) continue;
        bytes = 0;
        stores.commit();
        stores.begin();
      }
    new Folders(archive.db).redact(REWRITING.text);
    keeper.setState('redactor', stamp);
    stores.commit();
  } catch (error) {
    stores.rollback();
    throw error;
  }
}

const protector = new Protector();
const REWRITING: Rewriting = {
  text: (text) => protector.text(text),
  path: keptPath,
  deep: (value) => protector.deep(value),
  body: (body) => protector.body(body),
  preview: (text) => protector.preview(text),
};
