import { Worker } from 'node:worker_threads';
import type { FromSeeker, Question, SeekerData } from './seeker.ts';

/** Beside the bundle the seeker is a bundle too; from source it is the module. */
const SEEKER = new URL(import.meta.url.endsWith('.ts') ? './seeker.ts' : './seeker.mjs', import.meta.url);

/** The thread that searches. It is asked one question at a time; of those that come meanwhile, the last alone. */
export class Seeking {
  private readonly worker: Worker;
  private asked: Question | undefined;
  private waiting: Question | undefined;

  constructor(data: SeekerData, heard: (message: FromSeeker) => void) {
    this.worker = new Worker(SEEKER, { workerData: data });
    this.worker.on('message', (message: FromSeeker) => {
      if (message.type !== 'refreshed') this.next();
      heard(message);
    });
    this.worker.on('error', (error) => {
      const { number } = this.asked ?? { number: 0 };
      heard({ type: 'failed', number, reason: error instanceof Error ? error.message : String(error) });
    });
    // A picker that closes does not wait for a search.
    this.worker.unref();
  }

  ask(question: Question): void {
    if (this.asked) this.waiting = question;
    else this.send(question);
  }

  /** Nothing is to be answered any more but what is being searched for. */
  drop(): void {
    this.waiting = undefined;
  }

  close(): void {
    void this.worker.terminate();
  }

  private send(question: Question): void {
    this.asked = question;
    this.worker.postMessage(question);
  }

  private next(): void {
    const { waiting } = this;
    this.asked = undefined;
    this.waiting = undefined;
    if (waiting) this.send(waiting);
  }
}
