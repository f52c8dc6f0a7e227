/** Homes in which Cursor itself wrote. */
export const homes = [
  ['corpus', 'homes', 'cursor'],
  ['corpus', 'homes', 'cursor-wal'],
] as const;
