import { type Folder, homeDepth } from './folder.ts';

/** Folders of a home that hold a bit of everything. */
const OF_A_HOME = new Set(
  [
    ['desktop', 'documents', 'downloads', 'library', 'movies', 'videos', 'music', 'pictures', 'public', 'templates'],
    ['onedrive', 'dropbox', 'icloud drive', 'google drive', 'appdata', 'my documents', '.config', '.local', '.cache'],
  ].flat(),
);
/** Folders of programs, not of people: what runs in them was started by a program. */
const OF_PROGRAMS = [['library', 'application support'], ['library', 'caches'], ['appdata'], ['.cache']];
const OF_THE_SYSTEM = new Set(
  [
    [
      'applications',
      'bin',
      'boot',
      'dev',
      'etc',
      'home',
      'lib',
      'media',
      'mnt',
      'opt',
      'private',
      'proc',
      'run',
      'sbin',
    ],
    ['srv', 'sys', 'system', 'tmp', 'users', 'usr', 'var', 'volumes'],
  ].flat(),
);
const TEMPORARY = [
  /^\/(?:var\/)?tmp$/,
  /^\/dev\/shm$/,
  /^\/var\/folders(?:\/[^/]+){0,3}$/,
  /^[a-z]:\/(?:windows\/)?te?mp$/,
];

/**
 * Whether a folder says nothing of what was worked on: a home, its Desktop, the temporary folder, the system's, a
 * program's own. What stands below a home or a temporary folder under a name of its own does say something.
 */
export function isGeneric(folder: Folder): boolean {
  const names = folder.names.map((name) => name.toLowerCase());
  const [first] = names;
  if (first === undefined) return true;
  const depth = homeDepth(folder);
  if (depth !== undefined) return isGenericInHome(names.slice(depth));
  if (isTemporary(folder)) return true;
  if (folder.root === '/') return names.length === 1 && OF_THE_SYSTEM.has(first);
  return (
    /^[a-z]:\/$/.test(folder.root) && (first === 'windows' || /^program(?:data| files)/.test(first) || isUsers(names))
  );
}

/** A folder for what is thrown away again. */
export function isTemporary({ id, root, names }: Folder): boolean {
  const known = root === '/' ? `/${names.join('/')}`.toLowerCase() : id;
  return TEMPORARY.some((pattern) => pattern.test(known)) || /\/appdata\/local\/temp$/.test(id);
}

function isGenericInHome(names: readonly string[]): boolean {
  const [first, ...rest] = names;
  if (first === undefined) return true;
  if (OF_PROGRAMS.some((program) => program.every((name, i) => names[i] === name))) return true;
  if (rest.length === 0) return OF_A_HOME.has(first) || first.startsWith('onedrive');
  return first.startsWith('onedrive') && rest.length === 1 && OF_A_HOME.has(rest[0]!);
}

function isUsers(names: readonly string[]): boolean {
  return names.length === 1 && names[0] === 'users';
}
