import type { Where } from '../../transcript/index.ts';
import { text } from '../fields.ts';
import { plainPath } from '../plain-path.ts';
import type { Said } from '../session-teller.ts';
import type { Entry } from './contents.ts';
import { outcomeOf } from './outcome.ts';
import { callIn, Generation, STATUS, STEP, type Step } from './step.ts';
import type { Told } from './told.ts';
import { argumentsOf, callOf } from './tools.ts';
import { responseIn, spent } from './usage.ts';

/** Fields of a step that are no content: its type, state and metadata; what was permitted; where a task logs; errors. */
const COMMON: ReadonlySet<number> = new Set([1, 4, 5, 6, 31, 56, 133, 147, 148]);
/** Fields with what a step of a known type holds. */
const BODIES: ReadonlyMap<number, number> = new Map([
  [STEP.codeAction, 10],
  [STEP.grepSearch, 13],
  [STEP.viewFile, 14],
  [STEP.listDirectory, 15],
  [STEP.userInput, 19],
  [STEP.plannerResponse, 20],
  [STEP.errorMessage, 24],
  [STEP.runCommand, 28],
  [STEP.checkpoint, 30],
  [STEP.searchWeb, 42],
  [STEP.conversationHistory, 111],
  [STEP.systemMessage, 114],
  [STEP.generic, 140],
]);

/** Tells the steps of a database. Their fields were found by what stands in them: Antigravity has no public schema. */
export class StepTeller {
  private readonly told: Told;
  /** Calls that a model's answer asked for. */
  private readonly asked = new Set<string>();
  /** Answers whose cost a request of its own tells. */
  private readonly paid = new Set<string | undefined>();
  /** Names of models by their numbers. */
  private readonly models = new Map<number, string>();

  constructor(told: Told, entries: readonly Entry[]) {
    this.told = told;
    for (const { data } of entries.filter((entry) => entry instanceof Generation)) {
      const usage = data.at(1, 4);
      const name = data.text(1, 19);
      const model = data.number(1, 3);
      this.paid.add(responseIn(usage));
      if (model !== undefined && name !== undefined) this.models.set(model, name);
    }
  }

  step(step: Step, where: Where): string | undefined {
    const { tell, notShown } = this.told;
    const at = step.created;
    const seconds = at === undefined ? '' : `@${Math.floor(at / 1000)}`;
    const said: Said = { where, at, record: `${step.conversation ?? this.told.id}/${step.index}${seconds}` };
    const unknown = this.content(step, said);
    if (unknown && step.call === undefined && step.payload.numbers.some((field) => !COMMON.has(field)))
      notShown.add('step of an unknown type');
    this.spent(step, at);
    tell.time(step.ended);
    return unknown;
  }

  private content(step: Step, said: Said): string | undefined {
    const { tell, notShown } = this.told;
    const { payload } = step;
    if (step.call !== undefined) return this.ran(step, said);
    switch (step.type) {
      case STEP.userInput:
        this.prompt(step, said);
        return undefined;
      case STEP.plannerResponse:
        this.answer(step, said);
        return undefined;
      case STEP.errorMessage:
        this.failure(step, said);
        return undefined;
      case STEP.systemMessage:
        tell.notice('system', payload.text(114, 1) ?? payload.text(114, 2, 2), said);
        for (const [field, kind] of MESSAGE) if (payload.at(114)?.numbers.includes(field)) notShown.add(kind);
        return undefined;
      case STEP.checkpoint:
        tell.notice('summary', payload.text(30, 4), said);
        if (payload.text(30, 19) !== undefined) notShown.add('checkpoint prompts');
        if (payload.at(30, 14) !== undefined) notShown.add('checkpoint documents');
        return undefined;
      case STEP.conversationHistory:
        if (payload.text(111) !== undefined) notShown.add('injected/conversation history');
        return undefined;
      default:
        return BODIES.has(step.type) ? 'step without its call' : `step:${step.type}`;
    }
  }

  private prompt({ payload }: Step, said: Said): void {
    const { tell, notShown } = this.told;
    const asked = payload.at(19);
    const words =
      asked?.text(2) ??
      asked
        ?.all(3)
        .flatMap((item) => item.text(1) ?? [])
        .join('');
    tell.turn(said);
    tell.text('user', text(words), said);
    for (const media of asked?.all(9) ?? []) {
      const mime = media.text(1);
      const name = media.text(4) ?? media.text(5);
      tell.attached(
        {
          kind: mime?.split('/')[0] ?? 'file',
          ...(mime !== undefined && { mime }),
          ...(name !== undefined && { name }),
        },
        said,
      );
    }
    if (asked?.numbers.some((field) => field === 12 || field === 13)) notShown.add('prompt settings');
  }

  private answer({ payload }: Step, said: Said): void {
    const { tell } = this.told;
    const answer = payload.at(20);
    tell.thought(answer?.text(3), said);
    tell.text('assistant', answer?.text(1) ?? answer?.text(8), said);
    for (const message of answer?.all(7) ?? []) {
      const call = callIn(message);
      if (call === undefined) continue;
      this.asked.add(call.id);
      tell.called(callOf(call.id, call.name, argumentsOf(call.args), this.told.cwd), said);
    }
  }

  /** An error of the program's or of the model's service. */
  private failure({ payload }: Step, said: Said): void {
    const { tell, notShown } = this.told;
    const error = payload.at(24, 3);
    const words = new Set([error?.text(1), error?.text(2)].flatMap((one) => one ?? []));
    tell.notice('system', [...words].join('\n'), said);
    if (error?.text(3) !== undefined) notShown.add('error stack');
    if (error?.text(5) !== undefined) notShown.add('error call');
    if (error?.text(9) !== undefined) notShown.add('injected/error guidance');
  }

  /** A step that ran a call. One that no answer asked for, as a file that the person gave, is told with it. */
  private ran(step: Step, said: Said): string | undefined {
    const { tell, cwd, ran } = this.told;
    const call = step.call!;
    ran.set(step.index, call.id);
    if (!this.asked.has(call.id)) tell.called(callOf(call.id, call.name, argumentsOf(call.args), cwd), said);
    const { output, exitCode, paths } = outcomeOf(step, this.told);
    const isFailed = step.status === STATUS.error || step.status === STATUS.canceled || step.type === STEP.errorMessage;
    const runs = step.status === STATUS.running || step.status === STATUS.pending;
    if (!runs || output !== undefined)
      tell.result(
        call.id,
        {
          isError: isFailed || (exitCode !== undefined && exitCode !== 0),
          ...(output !== undefined && { output }),
          ...(exitCode !== undefined && { exitCode }),
          ...(paths.length > 0 && { paths: paths.map(plainPath) }),
          ...(runs && { stage: 'runs-on' }),
        },
        { ...said, at: step.ended },
      );
    return BODIES.has(step.type) ? undefined : `step:${step.type}`;
  }

  /** What a step took that no request of its own tells: a title, an answer that came just now. */
  private spent({ metadata }: Step, at: number | undefined): void {
    for (const usage of [metadata.at(9), metadata.at(28, 2)]) {
      const key = responseIn(usage);
      if (this.paid.has(key)) continue;
      this.paid.add(key);
      spent(usage, this.models.get(usage?.number(1) ?? -1), at, this.told);
    }
  }
}

/** What a message of the system says again, or says of itself. */
const MESSAGE: readonly (readonly [field: number, kind: string])[] = [
  [2, 'message title'],
  [4, 'message envelope'],
];
