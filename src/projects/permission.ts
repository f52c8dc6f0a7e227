import { type Folder, folderOf, homeDepth } from './folder.ts';

/** The system that Portolan runs on. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
}

/** Folders of a home that macOS guards: a look into them makes it ask the user whether this program may. */
const GUARDED = new Set(['desktop', 'documents', 'downloads', 'library', 'movies', 'music', 'pictures']);
/** Clouds mounted into the home: guarded as well, and a look may fetch a file. */
const CLOUD = /^(?:dropbox|onedrive|google drive|box|icloud)/;

/**
 * Whether a folder may be looked at without a question to the user, a wait for a network or for another system's files:
 * those that may not are judged by their paths alone.
 */
export function mayLook(path: string, { platform, home }: Machine): boolean {
  const folder = folderOf(path, home);
  if (!folder || folder.root === '~/') return false;
  if (platform === 'win32') return /^[a-z]:\/$/.test(folder.root) && !path.startsWith('/');
  // Of another system, if only as WSL mounts it.
  if (folder.root !== '/' || /^(?:[a-z]:|\\\\|file:)/i.test(path)) return false;
  const [first, second] = folder.names.map((name) => name.toLowerCase());
  if (first === 'net' || first === 'network' || (first === 'run' && second === 'user')) return false;
  return platform === 'darwin' ? mayLookOnMac(folder) : first !== 'media' && first !== 'volumes';
}

function mayLookOnMac(folder: Folder): boolean {
  const first = folder.names[0]?.toLowerCase();
  // `/home` is mounted when it is looked into.
  if (first === 'volumes' || first === 'home') return false;
  const depth = homeDepth(folder);
  const inHome = depth === undefined ? undefined : folder.names[depth]?.toLowerCase();
  return inHome === undefined || !(GUARDED.has(inHome) || CLOUD.test(inHome));
}
