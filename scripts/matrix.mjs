// `npm run matrix`: what each source tells, into the documents.
import { runProgram } from './run.mjs';

runProgram('docs', 'matrix.ts');
