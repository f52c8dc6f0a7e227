import type { Where } from '../../transcript/index.ts';
import { text } from '../fields.ts';
import { plainPath } from '../plain-path.ts';
import type { Said } from '../session-teller.ts';
import type { Entry } from './contents.ts';
import { isKnownTool, outcomeOf } from './outcome.ts';
import { callIn, Generation, STEP, type Step } from './step.ts';
import type { Told } from './told.ts';
import { argumentsOf, callOf } from './tools.ts';
import { responseIn, spent } from './usage.ts';

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
    const { tell } = this.told;
    const at = step.created;
    const seconds = at === undefined ? '' : `@${Math.floor(at / 1000)}`;
    const said: Said = { where, at, record: `${step.conversation ?? this.told.id}/${step.index}${seconds}` };
    const unknown = this.content(step, said);
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
        tell.notice('summary', oneBelowTheOther(payload.text(30, 10), payload.text(30, 4), payload.text(30, 5)), said);
        if (payload.text(30, 19) !== undefined) notShown.add('checkpoint prompts');
        if (payload.at(30, 14) !== undefined) notShown.add('checkpoint documents');
        return undefined;
      case STEP.taskBoundary:
        tell.notice('system', oneBelowTheOther(payload.text(93, 1), payload.text(93, 2), payload.text(93, 3)), said);
        return undefined;
      case STEP.notifyUser:
        tell.notice('system', payload.text(94, 2), said);
        return undefined;
      default: {
        const kind = INJECTED.get(step.type);
        if (kind !== undefined && payload.numbers.some((field) => field > 8)) notShown.add(kind);
        return kind === undefined ? `step:${step.type}` : undefined;
      }
    }
  }

  private prompt(step: Step, said: Said): void {
    const { tell, notShown } = this.told;
    const asked = step.payload.at(19);
    const items = asked?.all(3).flatMap((item) => item.text(1) ?? []) ?? [];
    const words = asked?.text(2) ?? text(items.join('')) ?? asked?.text(1);
    if (step.isImplicit) tell.notice('system', words, said);
    else {
      tell.turn(said);
      tell.text('user', words, said);
    }
    for (const media of asked?.all(9) ?? []) {
      const mime = media.text(1);
      const name = media.text(5) ?? media.text(4);
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

  private answer(step: Step, said: Said): void {
    const { tell, notShown } = this.told;
    const answer = step.payload.at(20);
    const [given, shown] = [answer?.text(1), answer?.text(8)];
    tell.thought(answer?.text(3) ?? answer?.text(16), said);
    // What the person saw of it.
    tell.text('assistant', shown ?? given, said);
    if (shown !== undefined && given !== undefined && shown !== given) notShown.add('answer before it was changed');
    for (const message of answer?.all(7) ?? []) {
      const call = callIn(message);
      if (call === undefined) continue;
      this.asked.add(call.id);
      tell.called(callOf(call.id, call.name, argumentsOf(call.args), this.told.cwd), said);
    }
    if (step.isStopped) tell.notice('interruption', 'canceled', said);
  }

  /** An error of the program's or of the model's service. */
  private failure({ payload }: Step, said: Said): void {
    const { tell, notShown } = this.told;
    const error = payload.at(24, 3);
    tell.notice('system', oneBelowTheOther(error?.text(1), error?.text(2)), said);
    if (error?.text(3) !== undefined) notShown.add('error stack');
    if (error?.text(5) !== undefined) notShown.add('error call');
    if (error?.text(9) !== undefined) notShown.add('injected/error guidance');
  }

  /** A step that ran a call. One that no answer asked for, as a file that the person gave, is told with it. */
  private ran(step: Step, said: Said): string | undefined {
    const { tell, cwd, ran } = this.told;
    const call = step.call!;
    ran.set(step.index, call.id);
    const called = callOf(call.id, call.name, argumentsOf(call.args), cwd);
    if (!this.asked.has(call.id)) tell.called(called, said);
    const { output, exitCode, paths, child, isRefused } = outcomeOf(step, this.told);
    if (!step.isOpen || output !== undefined)
      tell.result(
        call.id,
        {
          isError: step.isFailed || step.type === STEP.errorMessage || isRefused || (exitCode ?? 0) !== 0,
          ...(output !== undefined && { output }),
          ...(exitCode !== undefined && { exitCode }),
          ...(child !== undefined && { child }),
          // The same path stands in the arguments, spelled as the model did.
          ...(called.paths?.length === 0 && { paths: paths.map(plainPath) }),
          ...(step.isOpen && { stage: 'runs-on' }),
        },
        { ...said, at: step.ended },
      );
    return isKnownTool(step.type) ? undefined : `step:${step.type}`;
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

/** Steps that the program makes for the model alone. */
const INJECTED: ReadonlyMap<number, string> = new Map([
  [STEP.ephemeralMessage, 'injected/ephemeral message'],
  [STEP.conversationHistory, 'injected/conversation history'],
  [STEP.knowledgeArtifacts, 'injected/knowledge artifacts'],
  [STEP.directoryRules, 'injected/directory rules'],
]);

function oneBelowTheOther(...texts: readonly (string | undefined)[]): string {
  return [...new Set(texts.filter((said) => said !== undefined))].join('\n');
}
