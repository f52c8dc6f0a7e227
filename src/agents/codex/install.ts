import { join } from 'node:path';
import { removeTomlTable, setTomlTable, type TomlEdit, tomlString, tomlTable } from '../edits/toml-edit.ts';
import { type ConfigFile, type Entry, type Installer, type Machine, Unreadable } from '../install.ts';

const GROUP = 'mcp_servers';
const NAME = 'portolan';

export const install: Installer = {
  hint: 'Sessions already running see it after a restart; codex mcp list shows it.',
  config(machine: Machine): ConfigFile {
    const path = join(folderOf(machine), 'config.toml');
    const checked = (edit: TomlEdit): string => {
      if (edit.ok) return edit.text;
      throw new Unreadable(`${path} was left alone: ${edit.reason}.`);
    };
    return {
      path,
      current: (text) => tomlTable(text, GROUP, NAME),
      isCurrent(text, entry) {
        const edit = setTomlTable(text, GROUP, NAME, valuesOf(entry));
        return edit.ok && edit.text === text;
      },
      added: (text, entry) => checked(setTomlTable(text ?? '', GROUP, NAME, valuesOf(entry))),
      removed(text, { replaced }) {
        const without = checked(removeTomlTable(text, GROUP, NAME));
        return replaced === undefined
          ? without
          : `${without}${without === '' || without.endsWith('\n') ? '' : '\n'}${replaced}`;
      },
      // A table names all that it stands in.
      needsParent: () => false,
    };
  },
  skills: (machine) => join(folderOf(machine), 'skills'),
};

function valuesOf({ command, args, env }: Entry): Record<string, string> {
  const pairs = Object.entries(env).map(([name, value]) => `${name} = ${tomlString(value)}`);
  return {
    command: tomlString(command),
    args: `[${args.map(tomlString).join(', ')}]`,
    env: `{ ${pairs.join(', ')} }`,
  };
}

function folderOf({ home, variables }: Machine): string {
  return variables.CODEX_HOME || join(home, '.codex');
}
