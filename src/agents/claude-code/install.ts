import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type JsonEdit, jsonMember, removeJsonMember, setJsonMember } from '../edits/json-edit.ts';
import { type ConfigFile, type Installer, type Machine, Unreadable } from '../install.ts';
import { parsedJson } from '../json.ts';

const GROUP = 'mcpServers';
const NAME = 'portolan';

export const install: Installer = {
  hint: 'Sessions already running see it after a restart; claude mcp list shows it.',
  config({ home, variables }: Machine): ConfigFile {
    const path = join(variables.CLAUDE_CONFIG_DIR || home, '.claude.json');
    const checked = (edit: JsonEdit): string => {
      if (edit.ok) return edit.text;
      throw new Unreadable(`${path} was left alone: ${edit.reason}.`);
    };
    return {
      path,
      current: (text) => jsonMember(text, GROUP, NAME),
      isCurrent: (text, entry) =>
        isDeepStrictEqual(parsedJson(jsonMember(text, GROUP, NAME)), { type: 'stdio', ...entry }),
      added(text, { command, args, env }) {
        const value = JSON.stringify({ type: 'stdio', command, args, env });
        return text === undefined
          ? `${JSON.stringify({ [GROUP]: { [NAME]: JSON.parse(value) } }, null, 2)}\n`
          : checked(setJsonMember(text, GROUP, NAME, value));
      },
      removed: (text, { replaced, madeParent }) =>
        checked(
          replaced === undefined
            ? removeJsonMember(text, GROUP, NAME, madeParent === true)
            : setJsonMember(text, GROUP, NAME, replaced),
        ),
      needsParent: (text) => text === undefined || !hasGroup(text),
    };
  },
  skills: ({ home, variables }) => join(variables.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'skills'),
};

function hasGroup(text: string): boolean {
  const root = parsedJson(text.replace(/^\uFEFF/, ''));
  return typeof root === 'object' && root !== null && Object.hasOwn(root, GROUP);
}
