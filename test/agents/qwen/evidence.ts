/** Homes in which Qwen Code itself wrote, of today and of its first versions. */
export const homes = [
  ['corpus', 'live', 'qwen', 'home'],
  ['corpus', 'homes', 'qwen'],
] as const;
