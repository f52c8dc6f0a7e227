import { openCodeSource } from '../opencode/family.ts';

/** Kilo's command line, which was made from OpenCode. Its extension for editors keeps files of another kind. */
export const kiloCli = openCodeSource({ id: 'kilo-cli', label: 'Kilo CLI', name: 'kilo' });
