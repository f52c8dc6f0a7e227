/**
 * How prompts begin that say nothing of what was asked: signs of pastes and pictures, sentences that programs and templates
 * put there. Each is taken off as often as it stands at the beginning.
 */
const OPENINGS: readonly RegExp[] = [
  /^\[(?:Image|Pasted text) #\d+[^\]\n]*\]/,
  // Where a plan was accepted and a new conversation carries it out.
  /^Implement the following plan:(?=\s)/,
  // Templates of commands: what was asked stands in a block of its own, which may be empty.
  /^#+ User Input\s+```\w*\n(?:\s*```)?/,
  /^You \*\*MUST\*\* consider the user input before proceeding \(if not empty\)\.(?=\s)/,
  // Marks of headings, emphasis and blocks of code, not the words behind them.
  /^#{1,6} /,
  /^\*\*(?=\S)/,
  /^```\w*\n/,
];

/** A prompt from its first real words on; as it stands where there are none. */
export function realWords(prompt: string): string {
  let rest = prompt.trimStart();
  for (;;) {
    const opening = OPENINGS.find((pattern) => pattern.test(rest));
    if (!opening) break;
    rest = rest.replace(opening, '').trimStart();
  }
  return rest === '' ? prompt : rest;
}
