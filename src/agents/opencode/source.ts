import { openCodeSource } from './family.ts';

/** SST's OpenCode. */
export const openCode = openCodeSource({ id: 'opencode', label: 'OpenCode', name: 'opencode' });
