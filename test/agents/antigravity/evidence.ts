/** A home in which Antigravity itself wrote: its desktop program, its IDE and its command line. */
export const homes = [['corpus', 'homes', 'antigravity']] as const;
