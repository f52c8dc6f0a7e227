import manifest from '../../package.json' with { type: 'json' };
import { loadConfiguredSources } from '../agents/own-sources.ts';
import { problemOf } from '../holdings/problems.ts';
import { keepCompiledCode } from '../home/code-cache.ts';
import { ConfigError } from '../home/config.ts';
import { homeOf } from '../home/paths.ts';
import { beginRedaction } from '../redact/begin.ts';
import { redactText } from '../redact/redact.ts';
import { terminalStyle } from '../render/style.ts';
import { jsonText } from '../transcript/json.ts';
import { type Context, EXIT, isTerminal, UserError } from './command.ts';
import { COMMANDS } from './commands.ts';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader of a pipe went away: `portolan show … | head`.
  if (error.code === 'EPIPE') process.exit(EXIT.ok);
  process.stderr.write(`portolan: The answer could not be written: ${error.message}\n`);
  process.exit(EXIT.nothingSearched);
});
// What is said beside the answer is nothing to end for: `portolan index 2>&1 | head`.
process.stderr.on('error', () => {});

keepCompiledCode(homeOf(process.env), manifest.version);
process.exitCode = await main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<number> {
  const [name, ...args] = argv.filter((word, i) => !(i === 0 && word === '--yes'));
  const context: Context = {
    args,
    variables: process.env,
    cwd: process.cwd(),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    style: terminalStyle(process.stdout, process.env),
    json: args.includes('--json') || name === '--json',
    commands: COMMANDS,
  };
  try {
    const misunderstood = redactionProblem();
    if (misunderstood === undefined)
      await loadConfiguredSources(homeOf(process.env), (problem) => process.stderr.write(`portolan: ${problem}\n`));
    return await dispatch(name, context, misunderstood);
  } catch (error) {
    await logFailure(name, error);
    return failed(context, error);
  }
}

/** `misunderstood` is what is wrong with the configuration: only what mends it runs then. */
async function dispatch(
  name: string | undefined,
  context: Context,
  misunderstood: ConfigError | undefined,
): Promise<number> {
  if (name === '--version' || name === '-v' || name === 'version') {
    process.stdout.write(`portolan ${manifest.version}\n`);
    return EXIT.ok;
  }
  if (name === undefined && isTerminal(context)) return bare(context);
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    const asked = name === undefined ? undefined : COMMANDS.get(context.args[0] ?? '');
    process.stdout.write(`${asked ? (await asked()).help : await overview()}\n`);
    return EXIT.ok;
  }
  if (name === '--' && isTerminal(context)) return picked(context);
  const load = COMMANDS.get(name);
  if (!load) {
    const near = await commandLike(name);
    if (near === undefined && isTerminal(context) && !name.startsWith('-')) return picked(context, name);
    throw new UserError('no_command', `There is no command “${name}”.`, suggestion(name, near));
  }
  const command = await load();
  const options = context.args.slice(0, context.args.includes('--') ? context.args.indexOf('--') : undefined);
  if (options.includes('--help') || options.includes('-h')) {
    process.stdout.write(`${command.help}\n`);
    return EXIT.ok;
  }
  if (misunderstood !== undefined && !command.worksOnRuins) throw misunderstood;
  return command.run(context);
}

/** Without a command: the picker; what it needs is made first where nothing was indexed yet. */
async function bare(context: Context): Promise<number> {
  const { openPicker } = await import('./pick.ts');
  return (await openPicker(context)) ?? (await COMMANDS.get('start')!()).run(context);
}

/** Sets up the redactor; gives what is wrong with the configuration where it cannot be understood. */
function redactionProblem(): ConfigError | undefined {
  try {
    beginRedaction(homeOf(process.env), process.env);
    return undefined;
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}

async function overview(): Promise<string> {
  const commands = await Promise.all([...COMMANDS.values()].map((load) => load()));
  const width = Math.max(...commands.map((command) => command.name.length));
  return `portolan ${manifest.version}: one searchable history of everything your coding agents did

Usage: portolan <command> [options]
       portolan [words]              on a terminal: search as you type, read, resume

${commands.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`).join('\n')}

  portolan <command> --help   more about one
  --json                      one JSON document, for programs`;
}

/** Words that are no command open the picker with them. */
async function picked(context: Context, ...words: string[]): Promise<number> {
  const [{ openPicker }, { queryText }] = await Promise.all([import('./pick.ts'), import('./query-text.ts')]);
  const found = await openPicker(context, { words: queryText([...words, ...context.args]) });
  return found ?? (await COMMANDS.get('start')!()).run({ ...context, args: [] });
}

/** The command that a misspelt word was meant for. */
async function commandLike(name: string): Promise<string | undefined> {
  if (name.startsWith('-')) return undefined;
  const { editDistance } = await import('../search/matching/edit-distance.ts');
  const byDistance = [...COMMANDS.keys()]
    .map((command) => ({ command, wrong: editDistance(name, command, 2) }))
    .sort((a, b) => a.wrong - b.wrong);
  return byDistance[0]!.wrong <= 2 ? byDistance[0]!.command : undefined;
}

function suggestion(name: string, near: string | undefined): string {
  if (name.startsWith('-')) return 'Options come after the command: portolan search <words> --json.';
  return near === undefined
    ? 'To search: portolan search <words>. portolan --help lists the commands.'
    : `Did you mean portolan ${near}? portolan --help lists all.`;
}

/** What to do about an error of the system. */
function hintFor(message: string): string {
  if (/disk is full|ENOSPC/i.test(message))
    return 'Free some space where Portolan keeps its files, then run portolan index again: what was kept stays.';
  if (/EACCES|EPERM|EROFS|readonly|unable to open/i.test(message))
    return 'Check that Portolan may write to its folder, or set PORTOLAN_HOME to another one.';
  if (/a newer Portolan/.test(message)) return 'Run the newer version, or set PORTOLAN_HOME to another folder.';
  return 'Run portolan doctor for details.';
}

/** A command that failed for a reason of its own, not for what it was asked, is worth a look later. */
async function logFailure(name: string | undefined, error: unknown): Promise<void> {
  if (error instanceof UserError || error instanceof ConfigError) return;
  const { redactedLog } = await import('../redact/log.ts');
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  redactedLog(homeOf(process.env)).error(`portolan ${name ?? ''}: ${what}`);
}

/** An error as something that the user can do something about, where it is one. */
function toldToUsers(thrown: unknown): unknown {
  if (thrown instanceof ConfigError) return new UserError('bad_config', thrown.message, thrown.hint);
  const problem = problemOf(homeOf(process.env), thrown);
  return problem ? new UserError(problem.code, problem.message, problem.hint, EXIT.nothingSearched) : thrown;
}

function failed(context: Context, thrown: unknown): number {
  const error = toldToUsers(thrown);
  const known = error instanceof UserError;
  // What was typed may be quoted.
  const message = redactText(error instanceof Error ? error.message : String(error)).text;
  const code = known ? error.code : 'failed';
  const hint = known ? redactText(error.hint).text : hintFor(message);
  if (context.json) process.stdout.write(`${jsonText({ error: { code, message, hint } })}\n`);
  else process.stderr.write(`portolan: ${message}\n${hint}\n`);
  if (!known && process.env.PORTOLAN_DEBUG && error instanceof Error)
    process.stderr.write(`${redactText(error.stack ?? '').text}\n`);
  return known ? error.exit : EXIT.nothingSearched;
}
