// `npm run bench`: the benchmarks.
import { runProgram } from './run.mjs';

runProgram('bench', 'run.ts');
