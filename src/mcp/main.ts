import { serve } from './stdio.ts';

await serve(process.env);
