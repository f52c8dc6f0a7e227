import { dirname, join } from 'node:path';
import { fields, list } from '../fields.ts';
import { documentAt } from '../json.ts';
import type { Unit } from '../source.ts';
import { screenOf } from './requests.ts';
import { CONVERSATION } from './units.ts';

/** The messages of a unit as they stand. */
export function records(unit: Unit): string[] {
  const document = documentAt(unit.path);
  const isScreen = unit.layout === 'task' && unit.path !== join(dirname(unit.path), CONVERSATION);
  const messages =
    unit.layout === 'session' ? list(fields(document).messages) : isScreen ? screenOf(document) : list(document);
  return messages.map((message) => JSON.stringify(message));
}
