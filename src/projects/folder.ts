/** A folder by its shape alone, for paths of any system, whether they exist here or not. */
export interface Folder {
  /** The same for every spelling of one folder. */
  readonly id: string;
  /** What the names stand below: `/`, `~/`, `c:/`, `//server/share/`. */
  readonly root: string;
  /** As they are spelled, from the root down. */
  readonly names: readonly string[];
}

const FILE_URL = /^file:\/\/(?:localhost)?(?=\/)/i;
const DRIVE = /^\/*([a-z]):(?=[\\/]|$)/i;
const MOUNTED_DRIVE = /^\/(?:mnt|cygdrive)\/([a-z])(?=\/|$)/i;
/** A Linux's files as Windows sees them: `\\wsl.localhost\Ubuntu\home`. */
const LINUX_ON_WINDOWS = /^\/\/wsl(?:\$|\.localhost)\/[^/]+/i;
const SHARE = /^\/\/([^/]+\/[^/]+)/;

/**
 * Reads a path: Windows drives in any case, also as WSL mounts them, shares, file URLs, macOS's `/private`, doubled and
 * trailing slashes. Undefined for what is not absolute. `home` stands for `~`.
 */
export function folderOf(path: string, home?: string): Folder | undefined {
  if (home !== undefined && /^~(?=[\\/]|$)/.test(path)) return folderOf(`${home}${path.slice(1)}`);
  const isUrl = FILE_URL.test(path);
  const plain = path
    .replace(FILE_URL, '')
    .replace(/^\\\\\?\\(?:UNC(?=\\))?/i, (prefix) => (prefix.length > 4 ? '\\' : ''));
  const isWindows = DRIVE.test(plain) || plain.startsWith('\\\\');
  const spelled = isUrl ? unescaped(plain) : plain;
  const slashed = isWindows ? spelled.replaceAll('\\', '/') : spelled;
  const drive = DRIVE.exec(slashed) ?? MOUNTED_DRIVE.exec(slashed);
  if (drive) return made(`${drive[1]!.toLowerCase()}:/`, slashed.slice(drive[0].length));
  const linux = isWindows ? LINUX_ON_WINDOWS.exec(slashed) : null;
  if (linux) return made('/', slashed.slice(linux[0].length));
  const share = isWindows ? SHARE.exec(slashed) : null;
  if (share) return made(`//${share[1]!.toLowerCase()}/`, slashed.slice(share[0].length));
  if (slashed.startsWith('/')) return made('/', slashed.replace(/^\/+private(?=\/(?:tmp|var)(?:\/|$))/i, ''));
  return /^~(?:\/|$)/.test(slashed) ? made('~/', slashed.slice(1)) : undefined;
}

/** The folder that the first `count` names lead to. */
export function firstNames(folder: Folder, count: number): Folder {
  return folderWith(folder.root, folder.names.slice(0, count));
}

/** A folder of these names below the same root. */
export function withNames(folder: Folder, names: readonly string[]): Folder {
  return folderWith(folder.root, names);
}

/** The folders above one, the nearest first. */
export function* above(folder: Folder): Generator<Folder> {
  for (let count = folder.names.length - 1; count > 0; count--) yield firstNames(folder, count);
}

/** As it is written: with slashes, the drive's letter small. */
export function pathOf(folder: Folder): string {
  return folder.root + folder.names.join('/');
}

/** How many names lead to somebody's home folder; undefined where the path leads into none. */
export function homeDepth({ root, names }: Folder): number | undefined {
  if (root === '~/') return 0;
  const [first, second] = names.map((name) => name.toLowerCase());
  if (root === '/' && first === 'root') return 1;
  if (root === '/' && first === 'var' && second === 'home') return names.length >= 3 ? 3 : undefined;
  const holdsHomes = root === '/' ? first === 'home' || first === 'users' : root.endsWith(':/') && first === 'users';
  return holdsHomes && names.length >= 2 ? 2 : undefined;
}

function made(root: string, rest: string): Folder {
  const names: string[] = [];
  for (const name of rest.split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return folderWith(root, names);
}

/** Windows and macOS keep one folder for names that differ in case alone. */
function folderWith(root: string, names: readonly string[]): Folder {
  const isCaseless = root !== '/' && root !== '~/' ? true : /^(?:users|volumes)$/i.test(names[0] ?? '');
  const joined = names.join('/');
  return { id: root + (isCaseless ? joined.toLowerCase() : joined), root, names };
}

function unescaped(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}
