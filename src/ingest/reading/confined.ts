import type { SessionFacts, SourceEvent } from '../../agents/source.ts';
import { hash53 } from '../../transcript/index.ts';
/**
 * What a reader tells of a history that lies inside a folder which an agent merely worked in. Whoever wrote that folder
 * may have written the history too, so it is taken to have happened there, whatever its records claim, and nothing in it
 * reaches a session elsewhere: the ids of its sessions, records and calls are its own.
 */
export async function* confined(events: AsyncIterable<SourceEvent>, inside: string): AsyncIterable<SourceEvent> {
  const confines = new Confines(inside);
  const seen = new Set<string>();
  for await (const event of events) {
    if (event.type === 'checkpoint') {
      yield event;
      continue;
    }
    const session = confines.id(event.session);
    if (!seen.has(session)) {
      seen.add(session);
      yield { type: 'session', session, facts: confines.facts({}) };
    }
    const own = confines.event(event);
    if (own) yield { ...own, session };
  }
}

type Told = Exclude<SourceEvent, { type: 'checkpoint' }>;

class Confines {
  private readonly inside: string;
  private readonly mark: string;

  constructor(inside: string) {
    this.inside = inside;
    this.mark = hash53(inside).toString(36).slice(0, 6);
  }

  id(name: string): string {
    return `${name}@${this.mark}`;
  }

  event(event: Told): Told | undefined {
    switch (event.type) {
      case 'session':
        return { ...event, facts: this.facts(event.facts) };
      case 'turn':
        return { ...event, ...this.named(event, 'record', 'after') };
      case 'part':
        return {
          ...event,
          ...this.named(event, 'record'),
          ...(event.part.type === 'tool_call' && {
            part: { ...event.part, ...this.named(event.part, 'callId', 'child') },
          }),
        };
      case 'result':
        return {
          ...event,
          ...this.named(event, 'record', 'callId'),
          result: { ...event.result, ...this.named(event.result, 'child') },
        };
      case 'link':
        return { ...event, record: this.id(event.record) };
      case 'call':
        return { ...event, call: { ...event.call, key: this.id(event.call.key) } };
      case 'limit':
        // It says how much of the user's account was used.
        return undefined;
      case 'time':
        return event;
    }
  }

  /** Where it happened is known; what would connect it with another repository is left out. */
  facts({ branch: _, remote: __, roots: ___, pullRequests: ____, ...facts }: SessionFacts): SessionFacts {
    const { parent, titles } = facts;
    return {
      ...facts,
      ...this.named(facts, 'startedBy', 'transcript'),
      ...(parent && { parent: { ...parent, nativeId: this.id(parent.nativeId) } }),
      ...(titles?.summaries && {
        titles: { ...titles, summaries: titles.summaries.map((one) => ({ ...one, leaf: this.id(one.leaf) })) },
      }),
      cwd: this.inside,
      inside: this.inside,
    };
  }

  /** Those of some names that a thing has, as they are called here. */
  private named<K extends string>(thing: { readonly [P in K]?: string }, ...names: K[]): { [P in K]?: string } {
    const own: { [P in K]?: string } = {};
    for (const name of names) if (thing[name] !== undefined) own[name] = this.id(thing[name]);
    return own;
  }
}
