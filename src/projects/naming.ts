/** A project that is to be named: by the last of `names`, by more of them where several share that. */
export interface Nameless {
  readonly key: string;
  /** From the outermost in: host, owner, repository; or the folders of a path. */
  readonly names: readonly string[];
}

/**
 * Names by key: as short as tells each from all others, without regard to case, but for those that nothing else tells
 * apart.
 */
export function namesOf(projects: readonly Nameless[]): Map<string, string> {
  const depths = new Map(projects.map(({ key }) => [key, 1]));
  const named = () => new Map(projects.map(({ key, names }) => [key, names.slice(-depths.get(key)!).join('/')]));
  for (;;) {
    const names = named();
    const holders = new Map<string, Set<string>>();
    for (const { key, names: all } of projects) {
      const name = names.get(key)!.toLowerCase();
      holders.set(name, (holders.get(name) ?? new Set()).add(all.join('/').toLowerCase()));
    }
    const alike = projects.filter(
      ({ key, names: all }) => holders.get(names.get(key)!.toLowerCase())!.size > 1 && depths.get(key)! < all.length,
    );
    if (alike.length === 0) return names;
    for (const { key } of alike) depths.set(key, depths.get(key)! + 1);
  }
}
