/** Homes in which Droid itself wrote. */
export const homes = [
  ['corpus', 'live', 'droid', 'home'],
  ['corpus', 'homes', 'droid'],
] as const;
