/** Homes in which OpenCode itself wrote; the second with a log that was not taken up. */
export const homes = [
  ['corpus', 'live', 'opencode', 'home'],
  ['corpus', 'homes', 'opencode-wal'],
] as const;
