import { basename } from 'node:path';
import { openForReading } from '../holdings/opening.ts';
import { homeOf } from '../home/paths.ts';
import { redactedLog } from '../redact/log.ts';
import { formatCount, plural } from '../render/numbers.ts';
import { oneLine } from '../render/safe.ts';
import { conditionOf, type HomeCondition } from '../repair/condition.ts';
import { type Rebuilt, rebuildArchive } from '../repair/rebuild.ts';
import { Busy } from '../store/lease.ts';
import { agrees } from './asking.ts';
import { type Command, type Context, EXIT, UserError } from './command.ts';
import { readFlags } from './flags.ts';
import { type IndexReport, updateIndex } from './indexing.ts';
import { print, printJson } from './output.ts';

export const repair: Command = {
  name: 'repair',
  summary: 'save what is intact in a damaged archive, and rebuild the index',
  help: `Usage: portolan repair [--yes] [--json]

Where the archive is damaged, emptied or gone: makes a new one of everything
that is whole in the old one and of what the index still knows, reads the
agents’ files again, and makes the index anew. The old archive stays beside the
new one under a dated name. Says what was saved and what is lost. Asks first.

  --yes    do not ask
  --json   print one JSON document; without --yes only what would be done`,
  async run(context) {
    const flags = readFlags('repair', context.args, { yes: { type: 'boolean' } }, 0);
    const home = homeOf(context.variables);
    const before = conditionOf(home);
    refuseWhatRepairCannotHelp(before);
    const isNeeded = needsRebuilding(before);
    if (isNeeded && context.json && !flags.has('yes')) {
      printJson(context, { repaired: false, archive: before.parts.archive });
      return EXIT.ok;
    }
    if (isNeeded && !context.json) describe(context, before);
    if (isNeeded && !flags.has('yes') && !(await agrees(context)))
      throw new UserError('not_confirmed', 'Nothing was changed.', 'To accept, add --yes.');
    try {
      const rebuilt = isNeeded ? rebuildArchive(home, new Date()) : undefined;
      const report = await updateIndex(context);
      if (report.busy) throw new Busy();
      const after = conditionOf(home);
      redactedLog(home).note(`repair: ${rebuilt ? `saved ${plural(rebuilt.salvaged.rows, 'row')}` : 'nothing to do'}`);
      if (context.json) printJson(context, documentOf(rebuilt, report, after));
      else printOutcome(context, rebuilt, report, after);
      return EXIT.ok;
    } catch (error) {
      if (!(error instanceof Busy)) throw error;
      throw new UserError('busy', error.message, 'Stop it first: a repair rewrites the archive.', EXIT.nothingSearched);
    }
  },
};

/** @throws UserError where the archive is whole as far as can be told, and out of reach */
function refuseWhatRepairCannotHelp({ parts: { archive, config } }: HomeCondition): void {
  if (archive.state === 'newer' || archive.state === 'unreadable')
    throw new UserError(
      archive.state,
      `The archive cannot be repaired: ${archive.detail ?? archive.state}.`,
      archive.hint ?? '',
      EXIT.nothingSearched,
    );
  // What is to be left out is not known: nothing may be read.
  if (config.state === 'damaged') throw new UserError('bad_config', config.detail ?? '', config.hint ?? '');
}

/** A file that was not made yet has nothing to be repaired; one whose content the index remembers has. */
function needsRebuilding({ parts: { archive } }: HomeCondition): boolean {
  return archive.state === 'damaged' || archive.detail !== undefined;
}

function describe(context: Context, { parts: { archive } }: HomeCondition): void {
  print(context, `The archive is ${archive.state}: ${archive.detail ?? archive.path}.`);
  print(
    context,
    'Portolan will make a new archive from what is intact, read the agents’ files again, and rebuild the index.',
  );
  if (archive.state !== 'missing') print(context, 'The old archive stays beside it under a dated name.');
}

function documentOf(rebuilt: Rebuilt | undefined, report: IndexReport, after: HomeCondition) {
  return {
    repaired: rebuilt !== undefined,
    keptAs: rebuilt?.keptAs ?? null,
    saved: rebuilt?.salvaged ?? null,
    knownToIndex: rebuilt?.witnessed ?? null,
    readAgain: filesRead(report),
    sessions: report.sessions,
    turns: report.turns,
    lost: after.hurt,
    parts: after.parts,
  };
}

const filesRead = (report: IndexReport) => Object.values(report.sources).reduce((sum, { read }) => sum + read, 0);

const MOST_LISTED = 20;

function printOutcome(context: Context, rebuilt: Rebuilt | undefined, report: IndexReport, after: HomeCondition): void {
  const { hurt } = after;
  if (!rebuilt) print(context, 'The archive is whole; the index is up to date.');
  else {
    const { pages, brokenPages, bodies } = rebuilt.salvaged;
    const broken = brokenPages === 0 ? '' : `; ${plural(brokenPages, 'page')} could not be read whole`;
    print(context, `Saved from the old archive: ${plural(bodies, 'part')} in ${plural(pages, 'page')}${broken}.`);
    print(context, `Read again: ${plural(filesRead(report), 'file')} of the agents.`);
    print(context, `Now: ${plural(report.sessions, 'session')}, ${plural(report.turns, 'turn')}.`);
    if (rebuilt.keptAs !== undefined)
      print(context, `The old archive: ${basename(rebuilt.keptAs)}. Delete it once you are sure nothing is missing.`);
  }
  if (hurt.length === 0) {
    if (rebuilt) print(context, 'Nothing known was lost.');
    return;
  }
  print(context, `Lost: parts of ${plural(hurt.length, 'session')}, whose files are gone too:`);
  for (const { id, title, pieces } of namedIn(context, hurt).slice(0, MOST_LISTED))
    print(context, `  ${id}  ${oneLine(title)}  ${plural(pieces, 'part')}`);
  if (hurt.length > MOST_LISTED)
    print(context, `  … and ${formatCount(hurt.length - MOST_LISTED)} more (--json lists all)`);
}

function namedIn(context: Context, hurt: HomeCondition['hurt']) {
  const stores = openForReading(homeOf(context.variables));
  try {
    return hurt.map((one) => ({
      ...one,
      title: stores?.catalog.sessions('key = ?', [one.id], 'id', 1)[0]?.title ?? '',
    }));
  } finally {
    stores?.close();
  }
}
