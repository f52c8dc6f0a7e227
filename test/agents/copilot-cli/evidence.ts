/** Homes in which Copilot's command line itself wrote. */
export const homes = [
  ['corpus', 'live', 'copilot', 'home'],
  ['corpus', 'homes', 'copilot-cli'],
] as const;
