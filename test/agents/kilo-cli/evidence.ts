/** Homes in which Kilo's command line itself wrote. */
export const homes = [['corpus', 'live', 'kilo', 'home']] as const;
