import { join } from 'node:path';
import { fields, list, text } from '../fields.ts';
import { withInside } from '../inside.ts';
import { fieldsAt } from '../json.ts';
import type { Environment, Root } from '../source.ts';

const DATABASE = 'crush.db';

/**
 * The data folders of the projects that Crush's own list names, and those in folders where other agents worked. Whoever
 * cloned a repository with such a folder in it did not make it: it is the user's own only where Crush worked there.
 */
export function roots(env: Environment): Root[] {
  const own = listsOf(env).flatMap(projectsIn);
  const folders = new Map(own.map((root) => [root.path, root]));
  return withInside([...folders.values()], env.projects, '.crush', [DATABASE]);
}

/** Where Crush notes its projects: `CRUSH_GLOBAL_DATA`, else the user's data folder. */
function listsOf({ home, platform, variables }: Environment): string[] {
  const named = variables.CRUSH_GLOBAL_DATA?.trim();
  const data = variables.XDG_DATA_HOME?.trim();
  const local = variables.LOCALAPPDATA?.trim() || join(home, 'AppData', 'Local');
  const folders = [
    ...(named ? [named] : []),
    ...(data ? [join(data, 'crush')] : []),
    join(home, '.local', 'share', 'crush'),
    ...(platform === 'win32' ? [join(local, 'crush')] : []),
  ];
  return folders.map((folder) => join(folder, 'projects.json'));
}

function projectsIn(path: string): Root[] {
  return list(fieldsAt(path).projects).flatMap((project) => {
    const { path: folder, data_dir: data } = fields(project);
    const at = text(data) ?? (text(folder) === undefined ? undefined : join(String(folder), '.crush'));
    return at === undefined ? [] : [{ path: at, layout: 'project' }];
  });
}
