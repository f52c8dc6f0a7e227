import { homedir } from 'node:os';
import { readConfig } from '../home/config.ts';
import type { Home } from '../home/paths.ts';
import type { Environment } from './source.ts';

/**
 * The environment of this process, as sources want it. Of what lies inside folders that agents worked in, only that is
 * taken for a history which the user says is one. @throws ConfigError
 */
export function environmentOf(home: Home, variables: NodeJS.ProcessEnv = process.env): Environment {
  const user = userHome(variables);
  const inside = readConfig(home).sources.insideRepositories.map((path) => inHome(path, user));
  return environment(inside, variables);
}

/** An environment in which the histories inside some folders are read too. */
export function environment(projects: readonly string[], variables: NodeJS.ProcessEnv = process.env): Environment {
  return { home: userHome(variables), platform: process.platform, variables, projects };
}

/** What `~` stands for. */
export function userHome(variables: NodeJS.ProcessEnv = process.env): string {
  return variables.HOME || homedir();
}

/** A path with what `~` stands for at its beginning. */
export function inHome(path: string, home: string): string {
  return path.replace(/^~(?=$|[\\/])/, home);
}
