/** Homes in which Codex itself wrote. */
export const homes = [
  ['corpus', 'live', 'codex', 'home'],
  ['corpus', 'homes', 'codex'],
] as const;
