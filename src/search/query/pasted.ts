import { FIELD_NAMES } from './query.ts';

/** What a text that was typed or pasted is. */
export type TextKind = 'query' | 'command' | 'paste';

/** Signs that stand in code, JSON, markup and shells, and hardly in what a person asks. */
const CODE =
  /[{};`]|=>|[=!]=|&&|\|\||\$[({\w]|<\/|\/>|::|\]\(|\w\(\w[^)\s]{0,80}\)\.|(?:^|\s)(?:\/\/|#!|[+>$|<]{1,2}\s)|\w=["'\w]/;
/** Messages of compilers and runtimes, and lines of stack traces and logs. */
const MESSAGE =
  /\b\w*(?:error|exception|warning|fatal|panic(?:ked)?|failed|failure|traceback)\b(?:\[\w+\]|\s+TS\d+)?[^\s\w]?:|^[ \t]*at\s.+:\d+|^[ \t]*File "|\S\(\d+,\d+\)|\d{2}:\d{2}:\d{2}/im;
/** `EADDRINUSE`, `ERR_MODULE_NOT_FOUND`. */
const ERROR_CODE = /\b(?:E[A-Z]{4,}|ERR_[A-Z_]+|npm ERR)\b/;
/** The beginning of a long text tells. */
const JUDGED = 4000;

const FIELD = new RegExp(`(?<![^\\s(-])(?:word|${FIELD_NAMES.join('|')}):\\S*`, 'gi');

const COMMANDS: ReadonlySet<string> = new Set(
  `apt apt-get awk aws az bash brew bun bundle cargo cat cd chmod chown cmake code cp curl deno df diff docker
docker-compose dotnet du echo env find gcc gcloud gem gh git go gradle grep head helm java javac jq kill kubectl ls make
mkdir mvn mv mysql node npm npx openssl perl php pip pip3 pnpm podman printf psql pytest python python3 redis-cli rg rm
rsync ruby rustc scp sed sh sort sqlite3 ssh sudo systemctl tail tar terraform tmux top touch tsc uv uvx vim vitest wc
wget which xargs yarn zip zsh`.split(/\s+/),
);

/**
 * Tells a question from a pasted line. In a pasted text dashes, parentheses and `OR` are part of the text and nobody
 * speaks of time; in a command dashes are its flags. What stands in quotes or in a
 * field does not count.
 */
export function kindOf(text: string): TextKind {
  const bare = text
    .slice(0, JUDGED)
    .replace(/"[^"]*"/g, ' ')
    .replace(FIELD, ' ')
    .trim();
  const [, ...more] = bare.split('\n').filter((line) => line.trim() !== '');
  if (more.length > 1 || more.some((line) => /^\s/.test(line))) return 'paste';
  if (CODE.test(bare) || MESSAGE.test(bare) || ERROR_CODE.test(bare)) return 'paste';
  const first = /^\S*/.exec(bare)![0];
  return COMMANDS.has(first) && /\s-/.test(bare) ? 'command' : 'query';
}
