/** Homes in which Gemini CLI itself wrote. */
export const homes = [
  ['corpus', 'live', 'gemini', 'home'],
  ['corpus', 'homes', 'gemini'],
] as const;
