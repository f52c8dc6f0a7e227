import { oneLine } from './safe.ts';

/** Where a history lies that is not its agent's own. */
export function fromInside(folder: string, home?: string): string {
  return `from inside ${oneLine(tilde(folder, home))}`;
}

/** A path below the user's home begins with ~. */
export function tilde(path: string, home: string | undefined): string {
  if (home === undefined || home.length < 2 || !path.startsWith(home)) return path;
  const rest = path.slice(home.length);
  return rest === '' || /^[/\\]/.test(rest) ? `~${rest}` : path;
}
