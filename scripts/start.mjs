// `npm start`: from a fresh clone to the program, with whatever Node the machine has.
import { prepareClone } from './clone.mjs';

prepareClone();
const [command] = process.argv.slice(2);
if (command === undefined || command.startsWith('-')) process.argv.splice(2, 0, 'start');
await import('../bin/portolan.mjs');
