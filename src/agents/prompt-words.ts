/** A prompt as the last word of an agent's command line: one that looks like an option is told apart from them. */
export function promptWords(prompt: string | undefined): string[] {
  if (prompt === undefined) return [];
  return prompt.startsWith('-') ? ['--', prompt] : [prompt];
}
