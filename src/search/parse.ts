import { redactText } from '../redact/redact.ts';
import type { Filters, NamedFilter, Query, Role, Word } from './query.ts';
import { spanOf } from './times.ts';

const NAMED: ReadonlySet<string> = new Set<NamedFilter>(['source', 'project', 'session', 'tool', 'path']);
const ROLES: ReadonlySet<string> = new Set<Role>(['user', 'assistant', 'tool']);

/** One piece of a query: `-field:"value with spaces"`, `"a phrase"`, `word*`. */
const PIECE = /(-)?(?:([a-z]+):)?(?:"([^"]*)"|([^\s"]+))/gi;

type Draft = { -readonly [K in keyof Filters]: Filters[K] };

/**
 * Reads what was typed. It never fails: a field that does not exist, or a value that a field cannot take, is searched
 * for as words, so that a pasted error line is a query.
 */
export function parseQuery(typed: string, now: number): Query {
  // A query is echoed, and may hold a key that somebody looks for.
  const { text } = redactText(typed);
  const words: Word[] = [];
  const phrases: string[] = [];
  const excluded: Word[] = [];
  const filters: Draft = {};
  const without: Draft = {};
  for (const [piece, minus, field, quoted, bare] of text.matchAll(PIECE)) {
    const value = quoted ?? bare ?? '';
    const name = field?.toLowerCase() ?? '';
    if (minus === undefined && take(filters, name, value, now)) continue;
    if (minus !== undefined && isNamed(name) && take(without, name, value, now)) continue;
    if (field !== undefined) words.push(wordOf(piece));
    else if (minus !== undefined && value !== '')
      excluded.push(quoted === undefined ? wordOf(value) : { text: value, prefix: false });
    else if (quoted !== undefined) {
      if (quoted.trim() !== '') phrases.push(quoted);
    } else words.push(wordOf(value));
  }
  return { text, words, phrases, excluded, filters, without };
}

function wordOf(text: string): Word {
  return text.length > 1 && text.endsWith('*') ? { text: text.slice(0, -1), prefix: true } : { text, prefix: false };
}

/** Takes a filter; false where the field or its value is none. */
function take(filters: Draft, field: string, value: string, now: number): boolean {
  if (value === '') return false;
  if (isNamed(field)) {
    filters[field] = [...(filters[field] ?? []), value];
    return true;
  }
  switch (field) {
    case 'role': {
      const role = value.toLowerCase();
      if (!isRole(role)) return false;
      filters.role = [...(filters.role ?? []), role];
      return true;
    }
    case 'is':
      if (value.toLowerCase() !== 'error') return false;
      filters.is = ['error'];
      return true;
    case 'since': {
      const span = spanOf(value, now);
      if (span) filters.since = span.from;
      return span !== undefined;
    }
    case 'until': {
      const span = spanOf(value, now);
      if (span) filters.until = span.to ?? now;
      return span !== undefined;
    }
    default:
      return false;
  }
}

function isRole(text: string): text is Role {
  return ROLES.has(text);
}

function isNamed(text: string): text is NamedFilter {
  return NAMED.has(text);
}
