/** Homes in which Pi itself wrote, of versions with ids and without. */
export const homes = [
  ['corpus', 'live', 'pi', 'home'],
  ['corpus', 'homes', 'pi'],
  ['corpus', 'natural', 'pi-mono'],
] as const;
