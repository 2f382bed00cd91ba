/**
 * One event stream of a task (WHATWG HTML, 9.2). It holds no queue: a client that reads slowly gets the newest state when it
 * reads on, so it costs no memory.
 */
import { isTerminal } from '../../../task/task-transition.ts';
import type { VideoTask } from '../../../server/video-task.ts';
import { eventIdOf, type FormatEvent, HEARTBEAT, RETRY } from './task-event.ts';

export interface EventStreamOptions {
  readonly task: VideoTask;
  readonly format: FormatEvent;
  /** The last event that the client has seen, from an earlier stream; null for all. */
  readonly lastEventId: string | null;
  /** Called once, when the stream is over for whatever reason. */
  readonly onEnd: () => void;
}

export class EventStream {
  /** The body of the answer. */
  readonly body: ReadableStream<Uint8Array>;
  readonly #options: EventStreamOptions;
  #task: VideoTask;
  #sentId: string | null;
  #sentState: string | null = null;
  #isHeartbeatDue = false;
  #isOver = false;
  /** Set while the client has read everything. */
  #wake: (() => void) | null = null;

  constructor(options: EventStreamOptions) {
    this.#options = options;
    this.#task = options.task;
    this.#sentId = options.lastEventId;
    if (eventIdOf(this.#task) === this.#sentId) this.#sentState = this.#task.state;
    let hasBegun = false;
    this.body = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          if (hasBegun) return this.#pull(controller);
          hasBegun = true;
          controller.enqueue(RETRY);
          return undefined;
        },
        cancel: () => this.end(),
      },
      // Nothing is made before the client reads.
      { highWaterMark: 0 },
    );
  }

  /** False while the client has not read what was sent. */
  get isRead(): boolean {
    return this.#wake !== null;
  }

  /** A newer record of the task. */
  update(task: VideoTask): void {
    this.#task = task;
    this.#wake?.();
  }

  /** Sends a comment, so that proxies and clients see that the stream lives. */
  sendHeartbeat(): void {
    this.#isHeartbeatDue = true;
    this.#wake?.();
  }

  /** Ends the stream after what the client is reading. It can then reconnect. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#wake?.();
    this.#options.onEnd();
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    for (;;) {
      const next = this.#isOver ? null : this.#next();
      if (next !== null) return controller.enqueue(next);
      if (this.#isOver) return controller.close();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = null;
    }
  }

  /** What the client has not seen; null if there is nothing. */
  #next(): Uint8Array | null {
    const task = this.#task;
    const id = eventIdOf(task);
    if (id !== this.#sentId) {
      const hasEnded = isTerminal(task.state);
      const name = hasEnded ? 'end' : task.state === this.#sentState ? 'progress' : 'state';
      this.#sentId = id;
      this.#sentState = task.state;
      return this.#options.format(name, id, task);
    }
    if (isTerminal(task.state)) this.end();
    if (!this.#isHeartbeatDue || this.#isOver) return null;
    this.#isHeartbeatDue = false;
    return HEARTBEAT;
  }
}
