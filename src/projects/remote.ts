/** Where a repository is kept for others. */
export interface Remote {
  /** The same for every spelling: host and path in small letters, without user, scheme, port and `.git`. */
  readonly key: string;
  /** Host, owner and the names below, as they are spelled. */
  readonly names: readonly string[];
}

const URL_LIKE = /^(?:[a-z][a-z0-9+.-]*:)?\/\/(?:[^/@]*@)?([^/:?#]*)(?::\d+)?\/?([^?#]*)/i;
/** `git@host:owner/name`. One letter before the colon is a Windows drive. */
const SCP_LIKE = /^(?:[^@/\s]+@)?([^/:@\s]{2,}):(?!\/\/)(.+)$/;
/** Several accounts on one host are told apart by names that only the user's ssh knows: `github.com-work`. */
const OTHER_ACCOUNT = /^((?:[\w-]+\.)*(?:github|gitlab|bitbucket)\.(?:com|org))-[\w.-]+$/;

/** A remote as it is kept: `//host/owner/name`, which is read back as the same. */
export function spelledRemote(url: string): string | undefined {
  const remote = remoteOf(url);
  return remote && `//${remote.names.join('/')}`;
}

/** Reads the URL of a remote; undefined for a folder on this machine, which tells nothing of what it is. */
export function remoteOf(url: string): Remote | undefined {
  const found = URL_LIKE.exec(url.trim()) ?? SCP_LIKE.exec(url.trim());
  if (!found || /^file:/i.test(url.trim())) return undefined;
  const host = hostOf(found[1]!.toLowerCase());
  const path = found[2]!.replace(/\/+$/, '').replace(/\.git$/i, '');
  const names = path.split('/').filter((name) => name !== '' && name !== '~');
  if (host === '' || names.length === 0) return undefined;
  const all = [host, ...plainNames(host, names)];
  return { key: all.join('/').toLowerCase(), names: all };
}

function hostOf(host: string): string {
  const plain = OTHER_ACCOUNT.exec(host)?.[1] ?? host;
  return plain.replace(/^(?:www|ssh|altssh)\.(?=.+\..+)/, '');
}

/** Azure writes one repository in three ways. */
function plainNames(host: string, names: readonly string[]): readonly string[] {
  if (!/(?:^|\.)(?:dev\.azure|visualstudio)\.com$/.test(host)) return names;
  return names.filter((name, i) => name !== '_git' && !(i === 0 && name === 'v3'));
}
