/**
 * The order in which frames are drawn: what a person waits for comes before what is drawn ahead. Pure but for the work
 * itself.
 */

/** The first of these that has work is served. */
export const URGENCIES = ['asked', 'gallery', 'ahead', 'warm'] as const;
export type Urgency = (typeof URGENCIES)[number];

interface Job<T> {
  readonly key: string;
  urgency: Urgency;
  /** Calls that wait for it. */
  readers: number;
  readonly work: () => Promise<T>;
  readonly result: Promise<T | null>;
  settle(result: Promise<T> | null): void;
}

/** Work at once: the next request is with the thread before the last answer has come back. */
const AT_ONCE = 2;
/** Playback has three requests in flight for each of two videos: so many are served in their order. */
const IN_ORDER = 6;
/** With more requests waiting, the oldest gets no answer any more. */
const MAX_WAITING = 24;

export class FrameQueue<T> {
  readonly #waiting = new Map<string, Job<T>>();
  readonly #running = new Map<string, Job<T>>();

  get isIdle(): boolean {
    return this.#waiting.size === 0 && this.#running.size === 0;
  }

  /**
   * Does the work, or joins the same work that waits or runs.
   *
   * @returns Null when later requests replaced it, or when it was aborted before it began.
   */
  add(key: string, urgency: Urgency, work: () => Promise<T>, signal?: AbortSignal): Promise<T | null> {
    const known = this.#running.get(key) ?? this.#waiting.get(key);
    if (known !== undefined) {
      if (URGENCIES.indexOf(urgency) < URGENCIES.indexOf(known.urgency)) known.urgency = urgency;
      this.#read(known, signal);
      return known.result;
    }
    let settle!: (result: Promise<T> | null) => void;
    const result = new Promise<T | null>((resolve) => {
      settle = resolve;
    });
    const job: Job<T> = { key, urgency, readers: 0, work, result, settle };
    this.#waiting.set(key, job);
    this.#read(job, signal);
    const asked = this.#waitingFor('asked');
    if (asked.length > MAX_WAITING) this.#leave(asked[0]!);
    this.#next();
    return result;
  }

  /** Forgets what waits and nobody asked for. */
  clear(urgency: Urgency): void {
    for (const job of this.#waitingFor(urgency)) this.#leave(job);
  }

  /** Forgets all that waits. */
  close(): void {
    for (const urgency of URGENCIES) this.clear(urgency);
  }

  #read(job: Job<T>, signal: AbortSignal | undefined): void {
    job.readers += 1;
    const leave = () => {
      job.readers -= 1;
      if (job.readers === 0) this.#leave(job);
    };
    if (signal?.aborted === true) leave();
    else signal?.addEventListener('abort', leave, { once: true });
  }

  #waitingFor(urgency: Urgency): Job<T>[] {
    return [...this.#waiting.values()].filter((job) => job.urgency === urgency);
  }

  #leave(job: Job<T>): void {
    if (this.#waiting.get(job.key) !== job) return;
    this.#waiting.delete(job.key);
    job.settle(null);
  }

  #next(): void {
    while (this.#running.size < AT_ONCE) {
      const jobs = URGENCIES.map((urgency) => this.#waitingFor(urgency)).find(({ length }) => length > 0);
      if (jobs === undefined) return;
      const isOrdered = jobs[0]!.urgency !== 'asked' || jobs.length <= IN_ORDER;
      const job = isOrdered ? jobs[0]! : jobs.at(-1)!;
      this.#waiting.delete(job.key);
      this.#running.set(job.key, job);
      const done = job.work();
      job.settle(done);
      const end = () => {
        this.#running.delete(job.key);
        this.#next();
      };
      done.then(end, end);
    }
  }
}
