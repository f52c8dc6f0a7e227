import { join } from 'node:path';
import type { Where } from '../../transcript/index.ts';
import { type Fields, text } from '../fields.ts';
import { NotShownCounter } from '../not-shown.ts';
import { plainPath } from '../plain-path.ts';
import { type Said, SessionTeller } from '../session-teller.ts';
import type { SnapshotReader } from '../snapshot.ts';
import type { SourceEvent, Unit } from '../source.ts';
import { textOfFile } from '../text-of-file.ts';
import { type Contents, Document, Encrypted, type Entry, LogLine } from './contents.ts';
import { brainOf, type Place } from './files.ts';
import { LogTeller } from './log.ts';
import { Generation, Step } from './step.ts';
import { StepTeller } from './steps.ts';
import { summariesIn } from './summaries.ts';
import type { Told } from './told.ts';
import { spentBy } from './usage.ts';

/** More than this of a background task's output is not read. */
const MOST = 16 << 20;

/** Tells a conversation: its steps, the requests that made them, what the agent wrote for the person. */
export class Conversation implements SnapshotReader, Told {
  readonly events: SourceEvent[] = [];
  readonly notShown = new NotShownCounter();
  readonly id: string;
  readonly tell: SessionTeller;
  readonly cwd: string | undefined;
  readonly ran = new Map<number, string>();
  private hasTitle: boolean;
  private readonly place: Place;
  private readonly contents: Contents;
  private readonly steps: StepTeller;
  private readonly lines: LogTeller;

  constructor(place: Place, unit: Unit, contents: Contents) {
    const summary = summariesIn(place.root).get(place.id) ?? {};
    const workspace = contents.workspace ?? summary.workspace;
    this.place = place;
    this.id = place.id;
    this.contents = contents;
    this.cwd = workspace === undefined ? undefined : plainPath(workspace);
    this.tell = new SessionTeller(place.id, this.events);
    this.tell.facts({
      client: { name: 'antigravity', surface: unit.layout },
      ...(this.cwd !== undefined && { cwd: this.cwd }),
      ...(contents.branch !== undefined && { branch: contents.branch }),
      ...(contents.parent !== undefined && { parent: contents.parent }),
      ...(summary.title !== undefined && { titles: { agent: summary.title } }),
    });
    for (const at of [contents.created ?? summary.created, summary.updated]) this.tell.time(at);
    this.hasTitle = summary.title !== undefined || contents.entries.some(isSaid);
    this.steps = new StepTeller(this, contents.entries);
    this.lines = new LogTeller(this);
  }

  record(entry: Fields, where: Where): string | undefined {
    if (entry instanceof Step) return this.steps.step(entry, where);
    if (entry instanceof Generation) {
      spentBy(entry, this);
      return undefined;
    }
    if (entry instanceof LogLine) return this.lines.line(entry.record, where);
    if (entry instanceof Document) this.document(entry, { where });
    else if (entry instanceof Encrypted) this.tell.notice('system', CLOSED, { where });
    return undefined;
  }

  settle(): void {
    const { references, versions } = this.contents;
    if (references > 0) this.notShown.add('parent references', references);
    if (versions > 0) this.notShown.add('document version', versions);
  }

  outputOf(log: string | undefined): string | undefined {
    const name = log === undefined ? undefined : TASK_LOG.exec(log)?.[1];
    if (name === undefined) return undefined;
    const folder = join(brainOf(this.place), '.system_generated', 'tasks');
    return textOfFile(join(folder, name), folder, MOST);
  }

  private document(document: Document, said: Said): void {
    const summary = text(document.about.summary);
    // Where no word of the conversation is left, the first document says what it was about.
    if (!this.hasTitle && summary !== undefined) this.tell.facts({ titles: { generated: summary } });
    this.hasTitle ||= summary !== undefined;
    this.tell.text('assistant', document.content, { ...said, at: document.updated });
    for (const field of ['summary', 'artifactType'])
      if (document.about[field] !== undefined) this.notShown.add(`document ${field}`);
  }
}

const isSaid = (entry: Entry) => entry instanceof Step || entry instanceof LogLine;

const CLOSED = 'Antigravity keeps this conversation encrypted: nobody else can read what was said in it.';
const TASK_LOG = /[\\/](task-\d+\.log)$/;
