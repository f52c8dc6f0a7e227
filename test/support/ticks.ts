import { readFileSync } from 'node:fs';

/** Processor time of a process so far, in hundredths of a second: user and system. */
export function ticksOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return Number(fields[11]) + Number(fields[12]);
}
