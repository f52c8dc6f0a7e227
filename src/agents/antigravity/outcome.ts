import type { Message } from './protobuf.ts';
import { STEP, type Step } from './step.ts';
import type { Told } from './told.ts';

/** What a call gave, as its step has it. */
export interface Outcome {
  readonly output?: string;
  readonly exitCode?: number;
  /** Files that it changed or showed, as URLs. */
  readonly paths: readonly string[];
  /** The conversation of the sub-agent that it started. */
  readonly child?: string;
  /** The person did not let it run, or it took too long. */
  readonly isRefused: boolean;
}

type Given = Omit<Outcome, 'isRefused'>;

/** Where a tool's step has what it gave: the first of these texts that is there, an exit code, a file. */
interface Places {
  readonly texts: readonly (readonly number[])[];
  readonly exit?: readonly number[];
  readonly path?: readonly number[];
}

const GIVEN: ReadonlyMap<number, Places> = new Map<number, Places>([
  [
    STEP.grepSearch,
    {
      texts: [
        [13, 3],
        [13, 5],
      ],
      path: [13, 11],
    },
  ],
  [
    STEP.viewFile,
    {
      texts: [
        [14, 4],
        [14, 9],
      ],
      path: [14, 1],
    },
  ],
  [
    STEP.commandStatus,
    {
      texts: [
        [37, 9],
        [37, 3],
        [37, 4],
      ],
      exit: [37, 5],
    },
  ],
  [STEP.searchWeb, { texts: [[42, 5]] }],
  [STEP.mcpTool, { texts: [[47, 3]] }],
  [
    STEP.shellExec,
    {
      texts: [
        [127, 3],
        [127, 4],
      ],
      exit: [127, 2],
    },
  ],
  // What these say stands in the call's arguments.
  [STEP.taskBoundary, { texts: [] }],
  [STEP.notifyUser, { texts: [] }],
]);

/** Whether the fields of what a tool's step gave are known. */
export function isKnownTool(type: number): boolean {
  return GIVEN.has(type) || OWN.has(type);
}

const OWN: ReadonlySet<number> = new Set([
  STEP.codeAction,
  STEP.listDirectory,
  STEP.errorMessage,
  STEP.runCommand,
  STEP.invokeSubagent,
  STEP.generic,
]);

/** Reads what a tool gave from the step that ran it. */
export function outcomeOf(step: Step, told: Told): Outcome {
  const error = step.payload.at(31);
  if (error?.text(3) !== undefined) told.notShown.add('error stack');
  if (error?.text(9) !== undefined) told.notShown.add('injected/error guidance');
  if (step.payload.at(148) !== undefined) told.notShown.add('task reference');
  if (step.payload.text(13, 10) !== undefined) told.notShown.add('grep_search command');
  const given = givenBy(step, told);
  return {
    ...given,
    ...joined(given.output, error?.text(1), error?.text(2)),
    isRefused: REFUSED.some((at) => step.payload.number(...at) === 1),
  };
}

/** That the person refused: of a command, of a tool by MCP; that a command took too long. */
const REFUSED = [
  [28, 14],
  [47, 7],
  [28, 37],
];

function givenBy(step: Step, told: Told): Given {
  const { payload, type } = step;
  switch (type) {
    case STEP.codeAction:
      return changed(payload, told);
    case STEP.listDirectory:
      return { ...joined(listed(payload.at(15))), paths: some(payload.text(15, 1)) };
    case STEP.errorMessage:
      return failed(payload, told);
    case STEP.runCommand:
      return ran(payload, told);
    case STEP.invokeSubagent: {
      const child = payload.text(143, 5) ?? payload.text(143, 10, 1);
      return { ...joined(...elsewhere(step)), paths: [], ...(child !== undefined && { child }) };
    }
    case STEP.generic:
      if (payload.at(140, 2, 3) !== undefined) told.notShown.add('generic rendering');
      if (payload.at(140, 2)?.numbers.includes(2)) told.notShown.add('generic details');
      return { ...joined(payload.text(140, 2, 1) ?? told.outputOf(payload.text(148, 2))), paths: [] };
    default: {
      if (payload.at(14, 18) !== undefined) told.notShown.add('view_file skill');
      const given = GIVEN.get(type);
      return given ? simple(payload, given) : { ...joined(...elsewhere(step)), paths: [] };
    }
  }
}

function simple(payload: Message, { texts, exit, path }: Places): Given {
  const exitCode = exit && payload.number(...exit);
  return {
    ...joined(texts.map((at) => payload.text(...at)).find((said) => said !== undefined)),
    paths: some(path && payload.text(...path)),
    ...(exitCode !== undefined && { exitCode }),
  };
}

function ran(payload: Message, told: Told): Given {
  const command = payload.at(28);
  const apart = joined(command?.text(4), command?.text(5)).output;
  const printed = command?.text(21, 1) ?? command?.text(21, 2) ?? apart;
  const earlier = command?.text(26, 1);
  if (earlier !== undefined && printed?.includes(earlier) !== true) told.notShown.add('run_command earlier output');
  const logged = told.outputOf(payload.text(148, 2));
  // Of a task in the background the step keeps a part, and its log has all.
  const output = (logged?.length ?? 0) > (printed?.length ?? 0) ? logged : printed;
  const exitCode = command?.number(6);
  return { ...joined(output), paths: [], ...(exitCode !== undefined && { exitCode }) };
}

/** A change of a file stands in the call's arguments; here it is once more, and the file as it was. */
function changed(payload: Message, told: Told): Given {
  const action = payload.at(10);
  if (action?.at(2) !== undefined) told.notShown.add('code action difference');
  if (action?.at(13) !== undefined) told.notShown.add('code action chunks');
  const change = action?.at(1);
  return { paths: [...some(change?.text(1, 4, 5)), ...some(change?.text(2, 2, 5)), ...some(change?.text(4, 2, 5))] };
}

function failed(payload: Message, told: Told): Given {
  const error = payload.at(24, 3);
  if (error?.text(3) !== undefined) told.notShown.add('error stack');
  if (error?.text(5) !== undefined) told.notShown.add('error call');
  return { ...joined(error?.text(1), error?.text(9) ?? error?.text(2)), paths: [] };
}

function listed(body: Message | undefined): string | undefined {
  return body
    ?.all(3)
    .map((entry) => `${entry.text(1) ?? ''}${entry.number(2) === 1 ? '/' : ''}${size(entry.number(4))}`)
    .join('\n');
}

const size = (bytes: number | undefined) => (bytes === undefined ? '' : ` (${bytes} bytes)`);

/** All texts of a tool that nobody knows: of all fields but those that every step may have. */
function elsewhere({ payload }: Step): string[] {
  const own = payload.numbers.filter((field) => field > 8 && !COMMON.has(field));
  return own.flatMap((field) => payload.all(field)).flatMap((body) => body.words());
}

/** What went wrong, what was permitted, where a task logs. */
const COMMON: ReadonlySet<number> = new Set([31, 56, 133, 147, 148]);
/** Texts one below the other, each once. */
function joined(...texts: readonly (string | undefined)[]): { readonly output?: string } {
  const parts = new Set(texts.filter((said) => said !== undefined && said !== ''));
  return parts.size > 0 ? { output: [...parts].join('\n') } : {};
}

const some = (path: string | undefined) => (path === undefined ? [] : [path]);
