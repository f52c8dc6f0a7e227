import type { SourceNames } from './names.ts';
import type { Place } from './times/range.ts';

/** What words say about sources, and how many they are. */
export interface SaidSources {
  readonly ids: readonly string[];
  readonly isLeftOut: boolean;
  readonly length: number;
}

const HISTORY = /^(?:sessions?|histor(?:y|ies)|chats?|conversations?|transcripts?|logs?)$/;
const BEGINNING = /^(?:in|from|via|only|not|except|excluding)$/;

/**
 * The sources that the words from `i` on speak of: `in Devin sessions`, `Claude Code only`, `Codex history`, `not
 * codex`, `from claude`. Without a word such as "sessions" or "only" a name is taken at an end of the query alone:
 * elsewhere it is part of the topic, as in "codex rate limit parser". Words are in lower case.
 */
export function sourcesAt(
  words: readonly string[],
  i: number,
  names: SourceNames,
  place: Place,
): SaidSources | undefined {
  const word = words[i]!;
  if (!BEGINNING.test(word) && !names.begins(word)) return undefined;
  let at = i;
  const isLeftOut = /^(?:not|except|excluding)$/.test(word);
  if (isLeftOut) at++;
  let isOnly = words[at] === 'only';
  if (isOnly) at++;
  const isPlaced = /^(?:in|from|via)$/.test(words[at] ?? '');
  if (isPlaced) at++;
  if (isPlaced && words[at] === 'my') at++;
  const ids: string[] = [];
  for (;;) {
    const name = names.at(words, at);
    if (!name) break;
    ids.push(name.id);
    at += name.length;
    if (!/^(?:or|and)$/.test(words[at] ?? '') || !names.at(words, at + 1)) break;
    at++;
  }
  if (ids.length === 0) return undefined;
  const isHistory = HISTORY.test(words[at] ?? '');
  const isWholeHistory = words[at] === 'history';
  if (isHistory) at++;
  if (words[at] === 'only' && !isOnly) {
    isOnly = true;
    at++;
  }
  const length = at - i;
  const isAtEnd = place.isLast(length);
  const isAtAnEnd = isAtEnd || place.isFirst;
  const isMeant =
    (isPlaced && isHistory) ||
    (isPlaced && isAtEnd) ||
    (isLeftOut && isAtAnEnd) ||
    (isOnly && isAtAnEnd) ||
    // "Parse codex logs" is about logs.
    (isHistory && isAtEnd && (isWholeHistory || place.isFirst));
  if (!isMeant) return undefined;
  return { ids: [...new Set(ids)], isLeftOut, length };
}
