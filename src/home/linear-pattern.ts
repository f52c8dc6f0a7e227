/**
 * A pattern of a user's own, run by the engine of V8 that takes linear time whatever the pattern and the text. It finds
 * in any text what the usual engine would; look-arounds, references back, repeats of large counts and flags it cannot do.
 * @throws SyntaxError where the pattern is none, or is one that this engine cannot run
 */
export function linearPattern(source: string): RegExp {
  // Not imported: it brings a lot with it, and most users have no patterns.
  process.getBuiltinModule('node:v8').setFlagsFromString('--enable-experimental-regexp-engine');
  new RegExp(source); // its own errors say best what is wrong with a pattern
  try {
    return new RegExp(source, 'gl');
  } catch {
    throw new SyntaxError(
      `“${source}” could take forever: look-arounds, back-references (\\1) and large repeat counts are not supported`,
    );
  }
}
