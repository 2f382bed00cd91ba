/**
 * All event streams of a server: how many there are, one watch of each task for all its streams, heartbeats, and
 * their end with the key or the server.
 */
import type { TaskClock, Unschedule } from '../../../task/engine/task-clock.ts';
import type { TaskChanges } from '../../../task/task-changes.ts';
import type { VideoTask } from '../../video-task.ts';
import { EventStream, type EventStreamOptions } from './event-stream.ts';

export interface TaskStreamsOptions {
  /** Null when the task was removed. */
  readonly readTask: (id: string) => Promise<VideoTask | null>;
  /** Absent: a task is read again and again. */
  readonly changes?: TaskChanges | undefined;
  readonly clock: TaskClock;
  readonly maxStreams?: number;
  readonly maxStreamsPerClient?: number;
}

export interface StreamRequest extends Omit<EventStreamOptions, 'onEnd'> {
  /** Whose share of the streams it counts to. */
  readonly client: string;
  /** Whether the client could still open it. Asked with every heartbeat. */
  readonly isAdmitted: () => Promise<boolean>;
  /** Closes the connection of a client that does not read. */
  readonly closeConnection: () => void;
}

/** `own`: the client has too many streams. `all`: the server has. */
export type StreamLimit = 'own' | 'all';

interface OpenStream extends StreamRequest {
  readonly stream: EventStream;
  missedHeartbeats: number;
}

interface Watch {
  readonly streams: Set<OpenStream>;
  unschedule: Unschedule;
  /** Begin of the last read. */
  readMs: number;
  /** Of the next read, while nobody tells of changes. */
  restMs: number;
  /** The task has changed since then. */
  hasChanged: boolean;
  isReading: boolean;
}

/** Half of the connections of a server. */
const MAX_STREAMS = 500;
export const MAX_STREAMS_PER_CLIENT = 50;
/** Proxies close a connection on which nothing moves, nginx after 60 s. */
const HEARTBEAT_MS = 15_000;
/** A client that reads nothing for this many heartbeats is cut off. */
const MAX_MISSED_HEARTBEATS = 2;
/** Between two reads of a task, so that all watches together read at most a hundred tasks in a second. */
const WATCH_MS = 1_000;
/** From the opening to the first read. Twice as long to each next one: a task that takes no time ends at once. */
const FIRST_WATCH_MS = 125;
const WATCH_MS_PER_TASK = 10;
/** The same for a task of which the streams hear when it changes, in case that they did not. */
const PATIENCE_MS = 30_000;

export class TaskStreams {
  readonly #options: TaskStreamsOptions;
  readonly #open = new Set<OpenStream>();
  readonly #perClient = new Map<string, number>();
  readonly #watches = new Map<string, Watch>();
  #stopHeartbeats: Unschedule | null = null;
  #hasStarted = false;

  constructor(options: TaskStreamsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Opens a stream, or says which limit is reached. */
  open(request: StreamRequest): EventStream | StreamLimit {
    const { maxStreams = MAX_STREAMS, maxStreamsPerClient = MAX_STREAMS_PER_CLIENT } = this.#options;
    const own = this.#perClient.get(request.client) ?? 0;
    if (own >= maxStreamsPerClient) return 'own';
    if (this.#open.size >= maxStreams) return 'all';
    const stream = new EventStream({ ...request, onEnd: () => this.#remove(open) });
    const open: OpenStream = { ...request, stream, missedHeartbeats: 0 };
    this.#perClient.set(request.client, own + 1);
    this.#open.add(open);
    this.#watch(open);
    this.#stopHeartbeats ??= this.#options.clock.schedule(() => this.#heartbeat(), HEARTBEAT_MS);
    return stream;
  }

  /** Ends all streams, as a drain does. */
  endAll(): void {
    for (const { stream } of [...this.#open]) stream.end();
  }

  #remove(open: OpenStream): void {
    const { client, task } = open;
    this.#open.delete(open);
    const left = (this.#perClient.get(client) ?? 0) - 1;
    if (left > 0) this.#perClient.set(client, left);
    else this.#perClient.delete(client);
    const watch = this.#watches.get(task.id);
    watch?.streams.delete(open);
    if (watch?.streams.size === 0) {
      watch.unschedule();
      this.#watches.delete(task.id);
    }
    if (this.#open.size > 0) return;
    this.#stopHeartbeats?.();
    this.#stopHeartbeats = null;
  }

  #watch(open: OpenStream): void {
    const { id } = open.task;
    const known = this.#watches.get(id);
    if (known !== undefined) {
      known.streams.add(open);
      return;
    }
    const watch: Watch = {
      streams: new Set([open]),
      unschedule: () => {},
      readMs: this.#options.clock.nowMs(),
      restMs: FIRST_WATCH_MS,
      // It can have changed since the request read it.
      hasChanged: true,
      isReading: false,
    };
    this.#watches.set(id, watch);
    this.#scheduleRead(id, watch);
    this.#listen();
  }

  /** With the first stream, because many servers never have one. */
  #listen(): void {
    if (this.#hasStarted) return;
    this.#hasStarted = true;
    this.#options.changes?.start({
      onChange: (id) => this.#onChange(id, this.#watches.get(id)),
      onBreak: () => {
        for (const [id, watch] of this.#watches) this.#onChange(id, watch);
      },
    });
  }

  #onChange(id: string, watch: Watch | undefined): void {
    if (watch === undefined || watch.hasChanged) return;
    watch.hasChanged = true;
    if (!watch.isReading) this.#scheduleRead(id, watch);
  }

  #scheduleRead(id: string, watch: Watch): void {
    const { changes, clock } = this.#options;
    const isSoon = watch.hasChanged || !changes?.isListening;
    const restMs = isSoon ? Math.max(watch.restMs, this.#watches.size * WATCH_MS_PER_TASK) : PATIENCE_MS;
    // The clock can be set back.
    const waitMs = Math.min(restMs, Math.max(0, watch.readMs + restMs - clock.nowMs()));
    watch.unschedule();
    watch.unschedule = clock.schedule(() => void this.#read(id, watch), waitMs);
  }

  async #read(id: string, watch: Watch): Promise<void> {
    watch.readMs = this.#options.clock.nowMs();
    watch.restMs = Math.min(WATCH_MS, watch.restMs * 2);
    watch.hasChanged = false;
    watch.isReading = true;
    try {
      const task = await this.#options.readTask(id);
      for (const { stream } of [...watch.streams]) {
        if (task === null) stream.end();
        else stream.update(task);
      }
    } catch {
      // The store can be away for a moment.
      watch.hasChanged = true;
    }
    watch.isReading = false;
    if (this.#watches.get(id) === watch) this.#scheduleRead(id, watch);
  }

  #heartbeat(): void {
    this.#stopHeartbeats = this.#options.clock.schedule(() => this.#heartbeat(), HEARTBEAT_MS);
    for (const open of [...this.#open]) {
      open.missedHeartbeats = open.stream.isRead ? 0 : open.missedHeartbeats + 1;
      if (open.missedHeartbeats >= MAX_MISSED_HEARTBEATS) {
        end(open);
      } else {
        open.stream.sendHeartbeat();
        void endUnlessAdmitted(open);
      }
    }
  }
}

/** A client that has not read what was sent would not see the end either. */
function end({ stream, closeConnection }: OpenStream): void {
  const { isRead } = stream;
  stream.end();
  if (!isRead) closeConnection();
}

async function endUnlessAdmitted(open: OpenStream): Promise<void> {
  // A client that cannot be checked can reconnect as soon as it can.
  if (!(await open.isAdmitted().catch(() => false))) end(open);
}
