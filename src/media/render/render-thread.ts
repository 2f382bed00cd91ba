/**
 * One worker thread as the main thread sees it: started when first needed, asleep between jobs, replaced when it dies.
 */
import { Worker } from 'node:worker_threads';
import { ListingVideoError } from '../../platform/errors.ts';
import { reportLiveness } from '../../platform/liveness.ts';
import { codeFile } from '../../platform/program-files.ts';
import type { FromRenderThread, RenderThreadData, SentError, ToRenderThread } from './worker-messages.ts';

interface JobListener {
  onMessage(message: Exclude<FromRenderThread, { type: 'failed' }>): void;
  /** The job has failed. */
  onFailure(error: ListingVideoError): void;
}

function toError({ message, stack, hint, context }: SentError): ListingVideoError {
  const cause = new Error(message);
  if (stack !== undefined) cause.stack = stack;
  return new ListingVideoError('render_failed', message, {
    cause,
    hint,
    ...(context === undefined ? {} : { context: { ...context } }),
  });
}

/** A worker thread; jobs share it. */
export class RenderThread {
  readonly #data: RenderThreadData;
  readonly #listeners = new Map<number, JobListener>();
  #worker: Worker | undefined;

  constructor(data: RenderThreadData) {
    this.#data = data;
  }

  /** Starts a job; `listener` receives all its answers until `end` is posted. */
  start(message: ToRenderThread & { type: 'start' }, listener: JobListener): void {
    this.#listeners.set(message.job, listener);
    this.#worker ??= this.#spawn();
    this.#worker.ref();
    this.#worker.postMessage(message);
  }

  /** Messages of a job whose thread has died are ignored: its listener knows. */
  post(message: Exclude<ToRenderThread, { type: 'start' }>): void {
    if (!this.#listeners.has(message.job)) return;
    this.#worker?.postMessage(message);
    if (message.type === 'end') this.#forget(message.job);
  }

  /** Stops the thread at once. */
  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#failAll(new ListingVideoError('cancelled', 'The render pool was closed.'));
    worker?.removeAllListeners().on('error', () => {});
    await worker?.terminate();
  }

  #spawn(): Worker {
    // Without the parent's execArgv: its loader or inspector is not meant for the thread.
    const worker = new Worker(codeFile('media/render/frame-worker-entry.js'), {
      workerData: this.#data,
      execArgv: [],
      name: 'listing-video-render',
    });
    const lose = (cause: unknown): void => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      worker.removeAllListeners();
      // A thread that failed outside a job can still be running.
      worker.on('error', () => {}).terminate();
      this.#failAll(new ListingVideoError('render_failed', 'A render thread ended unexpectedly.', { cause }));
    };
    worker.on('message', (message: FromRenderThread) => {
      reportLiveness();
      const listener = this.#listeners.get(message.job);
      if (message.type === 'failed') listener?.onFailure(toError(message.error));
      else listener?.onMessage(message);
    });
    worker.on('error', lose);
    worker.on('exit', (code) => lose(new Error(`exit code ${code}`)));
    return worker;
  }

  #forget(job: number): void {
    this.#listeners.delete(job);
    // An idle thread must not keep the process alive.
    if (this.#listeners.size === 0) this.#worker?.unref();
  }

  #failAll(error: ListingVideoError): void {
    const listeners = [...this.#listeners.values()];
    this.#listeners.clear();
    for (const listener of listeners) listener.onFailure(error);
  }
}
