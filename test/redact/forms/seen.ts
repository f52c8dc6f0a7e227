import type { InContext } from '../contexts.ts';
import { ALNUM, BASE64URL, DIGITS, HEX, type Maker } from '../make.ts';

const ESC = '\u001b';
const paint = (code: number, text: string) => `${ESC}[${code}m${text}${ESC}[0m`;

/** A text broken after each of these places, with what stands between the pieces. */
function broken(text: string, between: string, ...at: number[]): string {
  const ends = [...at, text.length];
  return ends.map((end, i) => text.slice(i === 0 ? 0 : ends[i - 1], end)).join(between);
}

/** Secrets as terminals show them: in colours, wrapped, framed, with characters that have no width. */
export function seen(maker: Maker): InContext[] {
  const t = (length: number, alphabet = ALNUM) => maker.text(length, alphabet);
  const made: InContext[] = [];
  const add = (id: string, value: string, text: string) => made.push({ id, value, text });
  const github = `ghp_${t(36)}`;
  const openai = `sk-proj-${t(74, BASE64URL)}T3BlbkFJ${t(74, BASE64URL)}`;
  const jwt = `eyJ${t(33)}.eyJ${t(90)}.${t(43)}`;
  const word = `${maker.pick(['Kestrel', 'Sextant', 'Buoy'])}${t(8)}#${t(3, DIGITS)}`;
  const hex = t(40, HEX);

  add('name and value in colours', github, `${paint(36, 'GITHUB_TOKEN')}=${paint(33, github)}`);
  add('value without a form in colours', hex, `${paint(36, 'WEATHER_API_KEY')}=${paint(33, hex)}`);
  add('sign in colours', hex, `${paint(36, 'api_key')}${paint(90, ':')} ${paint(33, hex)}`);
  add('coloured JSON', word, `${paint(34, '"password"')}${paint(1, ':')} ${paint(32, `"${word}"`)},`);
  add('coloured JSON, quotes apart', word, `"${paint(34, 'password')}": "${paint(32, word)}"`);
  add(
    'match marked inside',
    github,
    `a.env:3:${github.slice(0, 14)}${paint(31, github.slice(14, 20))}${github.slice(20)}`,
  );
  add(
    'match marked with line ends erased',
    github,
    `${github.slice(0, 9)}${ESC}[01;31m${ESC}[K${github.slice(9, 15)}${ESC}[m${ESC}[K${github.slice(15)}`,
  );
  add('colour behind the prefix', github, `${paint(31, 'ghp_')}${github.slice(4)}`);
  add('256 colours', hex, `${ESC}[38;5;208mSECRET_TOKEN${ESC}[39m=${ESC}[38;2;10;20;30m${hex}${ESC}[0m`);
  add(
    'colours written out',
    github,
    `\\e[36mtoken\\e[0m=\\033[33m${github.slice(0, 12)}\\033[1m${github.slice(12)}\\033[0m`,
  );
  add('colours without their escape', hex, `[36mAPI_TOKEN[0m=[33m${hex}[0m`);
  add(
    'a link around it',
    github,
    `${ESC}]8;;https://example.com\u0007${github.slice(0, 10)}${ESC}]8;;\u0007${github.slice(10)}`,
  );
  add('title set before it', hex, `${ESC}]0;a shell\u0007export API_TOKEN=${ESC}[1m${hex}${ESC}[m`);

  add('over two lines', github, `token ${broken(github, '\n', 25)}\nend`);
  add('over two lines, early', github, `export GITHUB_TOKEN=${broken(github, '\r\n', 9)}`);
  add('in the middle of its prefix', github, `use ${broken(github, '\n', 2)}`);
  add('over three lines', openai, `OPENAI_API_KEY=${broken(openai, '\n', 50, 110)}\nOPENAI_ORG=harbour`);
  add('over three lines, indented', openai, `  key: ${broken(openai, '\n       ', 60, 120)}`);
  add('in a box', github, `┌────┐\n│ ${broken(github, ' │\n│ ', 22)}     │\n└────┘`);
  add('in a box, long', openai, `╭──╮\n│ key ${broken(openai, ' │\n│     ', 56, 112)} │\n╰──╯`);
  add(
    'in a coloured box',
    github,
    `${ESC}[90m│${ESC}[0m ${broken(github, ` ${ESC}[90m│${ESC}[0m\n${ESC}[90m│${ESC}[0m `, 22)}`,
  );
  add('JWT over lines', jwt, `token ${broken(jwt, '\n', 30, 90, 150)}`);
  add('JWT broken at a dot', jwt, `token ${broken(jwt, '\n', 37)}`);
  const long = t(64);
  add('named, over two lines', long, `API_TOKEN=${broken(long, '\n', 40)}\nPORT=1`);

  add('zero-width space inside', github, broken(github, '\u200b', 12));
  add('zero-width joiners inside', github, broken(github, '\u200d', 6, 12, 18, 24, 30));
  add('soft hyphens inside', github, broken(github, '\u00ad', 10, 20));
  add('word joiner behind the prefix', github, broken(github, '\u2060', 4));
  add('byte order mark inside a value', hex, `api_key=${broken(hex, '\ufeff', 20)}`);
  add('direction marks around it', hex, `api_key\u200e=\u200e${hex}`);
  return made;
}
