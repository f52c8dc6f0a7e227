import { homedir } from 'node:os';
import type { Environment } from './source.ts';

/** The environment of this process, as sources want it. */
export function environment(projects: readonly string[], variables: NodeJS.ProcessEnv = process.env): Environment {
  return { home: userHome(variables), platform: process.platform, variables, projects };
}

/** What `~` stands for. */
export function userHome(variables: NodeJS.ProcessEnv = process.env): string {
  return variables.HOME || homedir();
}
