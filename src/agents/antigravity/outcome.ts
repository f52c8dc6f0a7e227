import type { Message } from './protobuf.ts';
import { STEP, type Step } from './step.ts';
import type { Told } from './told.ts';

/** What a call gave, as its step has it. */
interface Outcome {
  readonly output?: string;
  readonly exitCode?: number;
  /** Files that it changed or showed, as URLs. */
  readonly paths: readonly string[];
}

/** Reads what a tool gave from the step that ran it; each kind of tool has fields of its own. */
export function outcomeOf(step: Step, told: Told): Outcome {
  const { payload } = step;
  const error = payload.at(31);
  if (error?.text(3) !== undefined) told.notShown.add('error stack');
  const given = givenBy(step, told);
  const parts = new Set([given.output, error?.text(1), error?.text(2)].flatMap((part) => part ?? []));
  const output = parts.size > 0 ? [...parts].join('\n') : undefined;
  return { ...given, ...(output !== undefined && { output }) };
}

function givenBy(step: Step, told: Told): Outcome {
  const { payload, type } = step;
  switch (type) {
    case STEP.codeAction:
      return changed(payload, told);
    case STEP.grepSearch:
      return outcome(textsIn(payload.at(13), GREP_ARGUMENTS).join('\n'));
    case STEP.viewFile:
      if (payload.at(14, 18) !== undefined) told.notShown.add('view_file skill');
      return outcome(payload.text(14, 4), paths(payload.text(14, 1)));
    case STEP.listDirectory:
      return outcome(listed(payload.at(15)), paths(payload.text(15, 1)));
    case STEP.errorMessage:
      return failed(payload, told);
    case STEP.runCommand:
      return ran(payload, told);
    case STEP.searchWeb:
      return outcome(payload.text(42, 5));
    case STEP.generic:
      if (payload.at(140, 2, 3) !== undefined) told.notShown.add('generic rendering');
      if (payload.at(140, 2)?.numbers.includes(2)) told.notShown.add('generic details');
      return outcome(payload.text(140, 2, 1) ?? told.outputOf(payload.text(148, 2)));
    default:
      return outcome(elsewhere(step).join('\n'));
  }
}

function ran(payload: Message, told: Told): Outcome {
  const command = payload.at(28);
  const printed = command?.text(21, 1);
  const earlier = command?.text(26, 1);
  if (earlier !== undefined && printed?.includes(earlier) !== true) told.notShown.add('run_command earlier output');
  const logged = told.outputOf(payload.text(148, 2));
  // Of a task in the background the step keeps a part, and its log has all.
  const output = (logged?.length ?? 0) > (printed?.length ?? 0) ? logged : printed;
  const exitCode = command?.number(6);
  return { ...outcome(output), ...(exitCode !== undefined && { exitCode }) };
}

/** A change of a file stands in the call's arguments; here it is once more, and the file as it was. */
function changed(payload: Message, told: Told): Outcome {
  const action = payload.at(10);
  if (action?.at(2) !== undefined) told.notShown.add('code action difference');
  if (action?.at(13) !== undefined) told.notShown.add('code action chunks');
  const specification = action?.at(1);
  return outcome(undefined, [...paths(specification?.text(1, 4, 5)), ...paths(specification?.text(2, 2, 5))]);
}

function failed(payload: Message, told: Told): Outcome {
  const error = payload.at(24, 3);
  if (error?.text(3) !== undefined) told.notShown.add('error stack');
  if (error?.text(5) !== undefined) told.notShown.add('error call');
  const parts = new Set([error?.text(1), error?.text(9) ?? error?.text(2)].flatMap((part) => part ?? []));
  return outcome([...parts].join('\n'));
}

function listed(body: Message | undefined): string | undefined {
  return body
    ?.all(3)
    .map((entry) => `${entry.text(1) ?? ''}${entry.number(2) === 1 ? '/' : ''}${size(entry.number(4))}`)
    .join('\n');
}

const size = (bytes: number | undefined) => (bytes === undefined ? '' : ` (${bytes} bytes)`);

/** What was asked for, not what was found. */
const GREP_ARGUMENTS: ReadonlySet<number> = new Set([1, 10, 11]);

/** All texts of the fields of a tool that nobody knows. */
function elsewhere({ payload }: Step): string[] {
  return payload.numbers
    .filter((field) => field > 8 && !KNOWN.has(field))
    .flatMap((field) => textsIn(payload.at(field)));
}

const KNOWN: ReadonlySet<number> = new Set([31, 56, 133, 147, 148]);
/** No answer of a tool lies deeper. */
const DEEPEST = 6;

function textsIn(message: Message | undefined, but: ReadonlySet<number> = new Set(), depth = 0): string[] {
  if (message === undefined || depth > DEEPEST) return [];
  return message.numbers
    .filter((field) => !but.has(field))
    .flatMap((field) => {
      const nested = message.all(field).flatMap((one) => textsIn(one, undefined, depth + 1));
      return nested.length > 0 ? nested : message.texts(field).filter((said) => said.trim() !== '');
    });
}

function outcome(output: string | undefined, found: readonly string[] = []): Outcome {
  return { paths: found, ...(output !== undefined && output !== '' && { output }) };
}

const paths = (path: string | undefined) => (path === undefined ? [] : [path]);
