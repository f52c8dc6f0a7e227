/**
 * The JSON values on one line. Writers that share a file leave several on a line (`}{`), and a crash leaves a torn one:
 * what can be read is given, what cannot is reported.
 */
export function valuesOf(line: string): { readonly values: readonly unknown[]; readonly torn: boolean } {
  try {
    return { values: [JSON.parse(line)], torn: false };
  } catch {
    return valuesApart(line);
  }
}

/** Splits at the end of each top-level object or array, strings respected. */
function valuesApart(line: string): { values: unknown[]; torn: boolean } {
  const values: unknown[] = [];
  let torn = false;
  let depth = 0;
  let start = -1;
  let inString = false;
  for (let i = 0; i < line.length; i++) {
    const c = line.charCodeAt(i);
    if (inString) {
      if (c === 92) i++;
      else if (c === 34) inString = false;
    } else if (c === 34) {
      inString = true;
      if (depth === 0) torn = true;
    } else if (c === 123 || c === 91) {
      if (depth++ === 0) start = i;
    } else if (c === 125 || c === 93) {
      if (depth === 0) torn = true;
      else if (--depth === 0) {
        try {
          values.push(JSON.parse(line.slice(start, i + 1)));
        } catch {
          torn = true;
        }
        start = -1;
      }
    } else if (depth === 0 && !isBlank(c)) torn = true;
  }
  if (depth > 0 || inString) torn = true;
  return { values, torn };
}

/** White space of JSON, and the mark that some editors put at the beginning of a file. */
function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 10 || code === 13 || code === 0xfeff;
}
