/** Homes in which Claude Code itself wrote. */
export const homes = [
  ['corpus', 'live', 'claude', 'home'],
  ['corpus', 'natural', 'cli'],
] as const;
