// `npm run eval`: how well search finds.
import { runProgram } from './run.mjs';

runProgram('eval', 'run.ts');
