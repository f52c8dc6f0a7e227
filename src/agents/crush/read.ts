import { dirname } from 'node:path';
import type { Where } from '../../transcript/index.ts';
import { type Fields, fields, isFields, list, number, text, time } from '../fields.ts';
import { readForeignDatabase } from '../foreign-database.ts';
import { parsedJson } from '../json.ts';
import { NotShownCounter } from '../not-shown.ts';
import { fileOf, rowKey } from '../rows.ts';
import { type Said, SessionTeller } from '../session-teller.ts';
import { readSnapshot, type SnapshotReader } from '../snapshot.ts';
import type { SourceEvent, Unit } from '../source.ts';
import { callOf } from './tools.ts';

/** Reads one session of a project's database. @throws ForeignDatabaseError */
export async function* read(unit: Unit): AsyncIterable<SourceEvent> {
  const id = rowKey(unit);
  const path = fileOf(unit);
  const { session, messages } = readForeignDatabase(path, (rows) => ({
    session: rows('SELECT * FROM sessions WHERE id = ?', id)[0] ?? {},
    // Many messages are of one second: they are in the order in which they were written.
    messages: rows('SELECT * FROM messages WHERE session_id = ? ORDER BY rowid', id),
  }));
  // The data folder lies in the folder where Crush worked.
  const reader = new Session(id, session, dirname(dirname(path)));
  const bytes = messages.reduce((sum, { parts }) => sum + (typeof parts === 'string' ? parts.length : 0), 0);
  yield* readSnapshot(unit, reader, messages, bytes);
}

class Session implements SnapshotReader {
  readonly events: SourceEvent[] = [];
  readonly notShown = new NotShownCounter();
  private readonly tell: SessionTeller;
  private readonly cwd: string;
  private readonly summary: string | undefined;

  constructor(id: string, session: Fields, cwd: string) {
    this.tell = new SessionTeller(id, this.events);
    this.cwd = cwd;
    this.summary = text(session.summary_message_id);
    const parent = text(session.parent_session_id);
    const title = text(session.title);
    this.tell.facts({
      client: { name: 'crush' },
      cwd,
      ...(title !== undefined && { titles: { agent: title } }),
      // A sub-agent's id ends with that of the call that started it, or is it.
      ...(parent !== undefined && {
        parent: { nativeId: parent, relation: 'subagent' },
        startedBy: id.split('$$').at(-1)!,
      }),
    });
    this.tell.time(time(session.created_at));
    for (const todo of list(parsedJson(session.todos))) if (isFields(todo)) this.notShown.add('session todos');
  }

  record(message: Fields, where: Where): string | undefined {
    const record = text(message.id);
    const said: Said = { where, record, at: time(message.created_at) };
    const { role } = message;
    if (role !== 'user' && role !== 'assistant' && role !== 'tool') return `message:${text(role) ?? 'untyped'}`;
    const parts = parsedJson(message.parts);
    if (!Array.isArray(parts)) return 'message without parts';
    this.tell.model(text(message.model));
    const isSummary = record !== undefined && (record === this.summary || message.is_summary_message === 1);
    if (role === 'user' && !isSummary && parts.some((part) => fields(part).type !== 'finish')) this.tell.turn(said);
    let unknown: string | undefined;
    for (const raw of parts) {
      const type = text(fields(raw).type) ?? 'untyped';
      const isKnown = this.part(
        type,
        fields(fields(raw).data),
        role === 'user' ? 'user' : 'assistant',
        said,
        isSummary,
      );
      if (!isKnown) unknown ??= `part:${type}`;
    }
    this.tell.time(time(message.finished_at));
    return unknown;
  }

  private part(type: string, data: Fields, role: 'user' | 'assistant', said: Said, isSummary: boolean): boolean {
    switch (type) {
      case 'text':
        if (isSummary) this.tell.notice('summary', text(data.text), said);
        else this.tell.text(role, text(data.text), said);
        return true;
      case 'reasoning':
        this.tell.thought(text(data.thinking), { ...said, at: time(data.started_at) ?? said.at });
        return true;
      case 'tool_call':
        this.tell.called(callOf(data, this.cwd), said);
        return true;
      case 'tool_result':
        this.result(data, said);
        return true;
      case 'binary':
      case 'image_url':
        this.tell.attached({ kind: 'image', ...named(text(data.Path) ?? text(data.path), text(data.MIMEType)) }, said);
        return true;
      case 'finish':
        this.finish(data, said);
        return true;
      default:
        return false;
    }
  }

  private result(data: Fields, said: Said): void {
    const metadata = parsedJson(data.metadata);
    // What a tool keeps for the screen: differences, contents, what was printed, once more.
    if (isFields(metadata))
      for (const name of Object.keys(metadata)) if (isText(metadata[name])) this.notShown.add(`metadata ${name}`);
    const output = text(data.content);
    const exitCode = number(fields(metadata).exit_code);
    this.tell.result(
      text(data.tool_call_id) ?? '',
      {
        isError: data.is_error === true || (exitCode !== undefined && exitCode !== 0),
        ...(output !== undefined && { output }),
        ...(exitCode !== undefined && { exitCode }),
      },
      said,
    );
  }

  private finish(data: Fields, said: Said): void {
    const reason = text(data.reason);
    const words = [text(data.message), text(data.details)].filter((one) => one !== undefined).join('\n');
    const at = time(data.time) ?? said.at;
    if (reason === 'canceled') this.tell.notice('interruption', words || 'canceled', { ...said, at });
    else if (reason === 'error' || words !== '') this.tell.notice('system', words || reason, { ...said, at });
  }
}

const isText = (value: unknown) => typeof value === 'string' && value.length > 0;

function named(name: string | undefined, mime: string | undefined) {
  return { ...(name !== undefined && { name }), ...(mime !== undefined && { mime }) };
}
