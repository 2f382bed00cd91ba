/** One event stream of a task. */
import { isTerminal } from '../../../task/task-transition.ts';
import type { VideoTask } from '../../video-task.ts';
import { EventWriter } from './event-writer.ts';
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
  readonly #options: EventStreamOptions;
  readonly #writer: EventWriter;
  #task: VideoTask;
  #sentId: string | null;
  #sentState: string | null = null;
  #isHeartbeatDue = false;

  constructor(options: EventStreamOptions) {
    this.#options = options;
    this.#task = options.task;
    this.#sentId = options.lastEventId;
    if (eventIdOf(this.#task) === this.#sentId) this.#sentState = this.#task.state;
    this.#writer = new EventWriter({ first: RETRY, next: () => this.#next(), onEnd: options.onEnd });
  }

  /** The body of the answer. */
  get body(): ReadableStream<Uint8Array> {
    return this.#writer.body;
  }

  /** False while the client has not read what was sent. */
  get isRead(): boolean {
    return this.#writer.isRead;
  }

  /** A newer record of the task. */
  update(task: VideoTask): void {
    this.#task = task;
    this.#writer.wake();
  }

  /** Sends a comment, so that proxies and clients see that the stream lives. */
  sendHeartbeat(): void {
    this.#isHeartbeatDue = true;
    this.#writer.wake();
  }

  /** Ends the stream after what the client is reading. It can then reconnect. */
  end(): void {
    this.#writer.end();
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
    if (isTerminal(task.state)) {
      this.end();
      return null;
    }
    if (!this.#isHeartbeatDue) return null;
    this.#isHeartbeatDue = false;
    return HEARTBEAT;
  }
}
