import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigError, readConfig } from '../home/config.ts';
import type { Home } from '../home/paths.ts';
import { isFields } from './fields.ts';
import { inTime } from './in-time.ts';
import { addSource } from './registry.ts';
import type { Source } from './source.ts';

/** A module that is no source, or cannot be loaded. */
export class OwnSourceError extends Error {}

const loaded: string[] = [];

/** The modules of sources that this process has loaded: for its workers, which have memory of their own. */
export function loadedModules(): readonly string[] {
  return loaded;
}

/**
 * Loads those that the configuration names. What cannot be loaded is told; the rest is read all the same. A configuration
 * that cannot be read names none: whoever needs it says what is wrong with it.
 */
export async function loadConfiguredSources(home: Home, tell: (problem: string) => void): Promise<void> {
  for (const path of modulesIn(home))
    try {
      await loadOwnSources([path]);
    } catch (error) {
      if (!(error instanceof OwnSourceError)) throw error;
      tell(`a source of your own was not loaded: ${error.message}`);
    }
}

function modulesIn(home: Home): readonly string[] {
  try {
    return readConfig(home).sources.modules;
  } catch (error) {
    if (error instanceof ConfigError) return [];
    throw error;
  }
}

/**
 * Loads sources of the user's own: modules that export one as `default` or `source` (`docs/writing-a-source.md`). They are
 * programs, and may do whatever the user may. @throws OwnSourceError with the module and what is wrong with it
 */
export async function loadOwnSources(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const file = path.startsWith('~') ? join(homedir(), path.slice(1)) : path;
    if (loaded.includes(file)) continue;
    try {
      addSource(sourceIn(await import(pathToFileURL(file).href)));
    } catch (error) {
      throw new OwnSourceError(`${path}: ${error instanceof Error ? error.message : String(error)}`);
    }
    loaded.push(file);
  }
}

function sourceIn(module: unknown): Source {
  const given = isFields(module) ? (module.default ?? module.source) : undefined;
  if (!isSource(given)) throw new Error('it exports no source: an object with id, label, version, roots, units, read');
  // What it gives is waited for, but not for ever.
  const { rows } = given;
  return {
    ...given,
    units: (root, met) => inTime(given.units(root, met)),
    ...(rows && { rows: (listing) => inTime(rows(listing)) }),
    read: (unit, from) => inTime(given.read(unit, from)),
  };
}

/** Whether a value has what a source must have; what its functions give is seen when they are called. */
function isSource(value: unknown): value is Source {
  return (
    isFields(value) &&
    typeof value.id === 'string' &&
    /^[a-z][a-z0-9-]{1,40}$/.test(value.id) &&
    typeof value.label === 'string' &&
    typeof value.version === 'number' &&
    Array.isArray(value.capabilities) &&
    ['roots', 'units', 'read'].every((name) => typeof value[name] === 'function')
  );
}
