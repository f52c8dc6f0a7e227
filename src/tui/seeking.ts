import { Worker } from 'node:worker_threads';
import type { FromSeeker, Question, SeekerData, ToSeeker } from './seeker.ts';

/** Beside the bundle the seeker is a bundle too; from source it is the module. */
const SEEKER = new URL(import.meta.url.endsWith('.ts') ? './seeker.ts' : './seeker.mjs', import.meta.url);

/** The thread that searches. It is asked one question at a time; of those that come meanwhile, the last alone. */
export class Seeking {
  private readonly data: SeekerData;
  private readonly heard: (message: FromSeeker) => void;
  private worker: Worker | undefined;
  private asked: Question | undefined;
  private waiting: Question | undefined;

  constructor(data: SeekerData, heard: (message: FromSeeker) => void) {
    this.data = data;
    this.heard = heard;
  }

  /** Starts the thread, which takes a while: best when there is something to look at, and before it is needed. */
  start(): Worker {
    if (this.worker) return this.worker;
    const worker = new Worker(SEEKER, { workerData: this.data });
    worker.on('message', (message: FromSeeker) => {
      if (message.type === 'found' || message.type === 'failed') this.next();
      this.heard(message);
    });
    worker.on('error', (error) => {
      const { number } = this.asked ?? { number: 0 };
      // The next question starts another thread.
      this.worker = undefined;
      this.next();
      this.heard({ type: 'failed', number, reason: error instanceof Error ? error.message : String(error) });
    });
    this.worker = worker;
    worker.postMessage({ type: 'look' } satisfies ToSeeker);
    return worker;
  }

  ask(question: Question): void {
    if (this.asked) this.waiting = question;
    else this.send(question);
  }

  match(session: string, text: string): void {
    this.start().postMessage({ type: 'match', session, text } satisfies ToSeeker);
  }

  /** Nothing is to be answered any more but what is being searched for. */
  drop(): void {
    this.waiting = undefined;
  }

  close(): void {
    void this.worker?.terminate();
  }

  private send(question: Question): void {
    this.asked = question;
    this.start().postMessage({ type: 'seek', question } satisfies ToSeeker);
  }

  private next(): void {
    const { waiting } = this;
    this.asked = undefined;
    this.waiting = undefined;
    if (waiting) this.send(waiting);
  }
}
