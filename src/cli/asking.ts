import type { Context } from './command.ts';

/** Asks on the terminal; no where there is none, or where the input ends. */
export async function agrees({ stdin, stderr }: Context, question = 'Go on?'): Promise<boolean> {
  if (!stdin.isTTY || !stderr.isTTY) return false;
  const { createInterface } = await import('node:readline');
  const lines = createInterface({ input: stdin, output: stderr, terminal: false });
  const answer = await new Promise<string>((done) => {
    lines.on('close', () => done(''));
    lines.question(`${question} [y/N] `, done);
  });
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
}
