/** Homes in which Amp itself wrote. */
export const homes = [['corpus', 'homes', 'amp']] as const;
