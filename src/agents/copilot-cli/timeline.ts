import type { Where } from '../../transcript/index.ts';
import { type Fields, fields, list, text, time } from '../fields.ts';
import { NotShownCounter } from '../not-shown.ts';
import { type Said, SessionTeller } from '../session-teller.ts';
import type { SnapshotReader } from '../snapshot.ts';
import type { SourceEvent, Unit } from '../source.ts';
import { calledWith, exitCodeIn } from './tools.ts';

/** Reads a session of 2025: a document with what was on the screen (`timeline`) and what was sent (`chatMessages`), which say the same. */
export class Timeline implements SnapshotReader {
  readonly events: SourceEvent[] = [];
  readonly notShown = new NotShownCounter();
  private readonly tell: SessionTeller;

  constructor(unit: Unit, document: Fields) {
    const named = /session_([0-9a-f-]{36})_/.exec(unit.path)?.[1];
    this.tell = new SessionTeller(text(document.sessionId) ?? named ?? unit.path, this.events);
    this.tell.facts({ client: { name: 'copilot' } });
    this.tell.time(time(document.startTime));
    for (const _ of list(document.chatMessages)) this.notShown.add('chatMessages');
  }

  record(entry: Fields, where: Where): string | undefined {
    const said: Said = { where, at: time(entry.timestamp), record: text(entry.id) };
    switch (entry.type) {
      case 'user':
        if (text(entry.expandedText) !== undefined && entry.expandedText !== entry.text)
          this.notShown.add('user expandedText');
        this.tell.prompt(text(entry.text) ?? '', said);
        return undefined;
      case 'copilot':
        this.tell.text('assistant', text(entry.text), said);
        return undefined;
      case 'info':
      case 'error':
        this.tell.notice('system', text(entry.text), said);
        return undefined;
      case 'tool_call_requested':
      case 'tool_call_completed':
        this.called(entry, said);
        return undefined;
      default:
        return `timeline:${text(entry.type) ?? 'untyped'}`;
    }
  }

  private called(entry: Fields, said: Said): void {
    const callId = text(entry.callId);
    this.tell.called(calledWith(callId, text(entry.name) ?? 'unknown', entry.arguments, fields(entry.arguments)), said);
    if (entry.result === undefined) return;
    const { type, log } = fields(entry.result);
    const output = text(log);
    const exitCode = exitCodeIn(output);
    this.tell.result(
      callId ?? '',
      {
        isError: type !== 'success' || (exitCode !== undefined && exitCode !== 0),
        ...(output !== undefined && { output }),
        ...(exitCode !== undefined && { exitCode }),
      },
      said,
    );
  }
}
