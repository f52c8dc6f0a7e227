/** A folder as the system spells it: extended paths of Windows and file URLs are made plain. */
export function plainPath(path: string): string {
  if (path.startsWith('\\\\?\\UNC\\')) return `\\\\${path.slice(8)}`;
  if (path.startsWith('\\\\?\\')) return path.slice(4);
  if (!path.startsWith('file://')) return path;
  const rest = path.slice(7);
  const local = /^\/[A-Za-z]:/.test(rest) ? rest.slice(1) : rest;
  try {
    return decodeURIComponent(local);
  } catch {
    return local;
  }
}

/** A path that may stand relative to a folder, made whole; the folder's own kind of separator is kept. */
export function pathIn(folder: string | undefined, path: string): string {
  const plain = plainPath(path);
  if (folder === undefined || plain === '' || /^(?:[/\\~]|[A-Za-z]:)/.test(plain)) return plain;
  const separator = folder.includes('\\') && !folder.includes('/') ? '\\' : '/';
  return `${folder.replace(/[/\\]+$/, '')}${separator}${plain.replace(/^\.[/\\]/, '')}`;
}
