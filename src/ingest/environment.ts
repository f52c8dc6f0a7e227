import { homedir } from 'node:os';
import type { Environment } from '../agents/source.ts';

/** The environment of this process, as sources want it. */
export function environment(projects: readonly string[], variables: NodeJS.ProcessEnv = process.env): Environment {
  return { home: variables.HOME || homedir(), platform: process.platform, variables, projects };
}
