/** How many different characters make a placeholder of repeated ones (`xxxx`, `AAAA`, `abcabc`) unlikely. */
const VARIETY = 8;

/**
 * Whether a token's body can be random rather than a placeholder or plain words: enough different characters, and a
 * digit or both cases among them. Adding characters never turns a yes into a no.
 */
export function looksRandom(body: string): boolean {
  return varied(body, VARIETY) && (/\d/.test(body) || (/[a-z]/.test(body) && /[A-Z]/.test(body)));
}

/** Whether a text has at least `variety` different characters. */
export function varied(body: string, variety: number): boolean {
  const seen = new Set<string>();
  for (const char of body) {
    seen.add(char);
    if (seen.size >= variety) return true;
  }
  return false;
}

/**
 * Whether a run of letters and digits of at least 16 stands in a slug, as in a key of no known kind. Class names and
 * UUIDs (`sk-loading-2`, `sk-550e8400-…`) have none.
 */
export function hasRandomRun(body: string): boolean {
  return body.split(/[_-]/).some((run) => run.length >= 16 && looksRandom(run));
}

/** The access key ids in AWS's own documentation end in this; their length is fixed, so it can shield no other. */
const DOCUMENTED = /^.{13}EXAMPLE$/;

/** Whether an access key id is neither a documented example nor one repeated letter. */
export function isAwsKey(id: string): boolean {
  return !DOCUMENTED.test(id) && varied(id.slice(4), 4);
}
