import manifest from '../../package.json' with { type: 'json' };
import { keepCompiledCode } from '../home/code-cache.ts';
import { homeOf } from '../home/paths.ts';

keepCompiledCode(homeOf(process.env), manifest.version);
const { serve } = await import('./stdio.ts');
await serve(process.env);
