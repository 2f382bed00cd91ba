/**
 * Tells all servers of changes of tasks with NOTIFY, so that none has to look for them. A notice is part of its
 * transaction: it is sent at the commit or never. One connection listens; while it is lost, it is opened again and
 * again.
 */
import pg from 'pg';
import type { TaskClock, Unschedule } from '../../engine/task-clock.ts';
import type { TaskLogger } from '../../engine/task-handler.ts';
import type { ChangeListener, TaskChanges } from '../../task-changes.ts';
import { connectionTo } from '../open-database.ts';
import { raw, sql } from '../sql.ts';
import type { OnTaskChange } from './task-change.ts';

const CHANNEL = 'listing_video_tasks';
const RECONNECT_MS = 1_000;

/** An expression for the statement that changes the task with this `id`. */
export const NOTIFY_TASK = raw(`pg_notify('${CHANNEL}', id::text)`);

/** For `onChange` of a task store. Nobody follows a task that is not stored yet. */
export const taskNotices: OnTaskChange = async ({ before, after }, transaction) => {
  if (before === null || after.origin !== 'api') return;
  await transaction.query(sql`select pg_notify(${CHANNEL}, ${after.id})`);
};

export interface TaskNoticesOptions {
  readonly url: string;
  readonly clock: Pick<TaskClock, 'schedule'>;
  readonly logger: Pick<TaskLogger, 'debug'>;
}

/** The notices of a database. It connects at `start`. */
export class TaskNotices implements TaskChanges {
  readonly #options: TaskNoticesOptions;
  #listener: ChangeListener | null = null;
  #client: pg.Client | null = null;
  #isListening = false;
  #isStopped = false;
  #unschedule: Unschedule = () => {};

  constructor(options: TaskNoticesOptions) {
    this.#options = options;
  }

  get isListening(): boolean {
    return this.#isListening;
  }

  start(listener: ChangeListener): void {
    this.#listener = listener;
    void this.#connect();
  }

  stop(): void {
    this.#isStopped = true;
    this.#unschedule();
    // Without waiting for the answer of a machine that can be gone.
    this.#client?.end().catch(() => {});
  }

  async #connect(): Promise<void> {
    const connection = connectionTo(this.#options.url, 'listing-video events');
    // The time-out is that of LISTEN, the only statement.
    const client = new pg.Client({ ...connection, query_timeout: connection.connectionTimeoutMillis });
    this.#client = client;
    client.on('notification', ({ payload = '' }) => this.#listener?.onChange(payload));
    client.on('error', (error) => this.#onLost(client, error));
    client.on('end', () => this.#onLost(client, null));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      if (this.#client === client) this.#setListening(true);
    } catch (error) {
      this.#onLost(client, error);
    }
  }

  /** A connection can be lost in several ways at the same time. */
  #onLost(client: pg.Client, error: unknown): void {
    if (this.#client !== client || this.#isStopped) return;
    this.#client = null;
    client.end().catch(() => {});
    // Not the error itself: it can carry the password.
    const report = error instanceof Error ? error.message : 'it ended';
    this.#options.logger.debug('the connection that hears of changes of tasks is lost', { report });
    if (this.#isListening) this.#setListening(false);
    this.#unschedule = this.#options.clock.schedule(() => void this.#connect(), RECONNECT_MS);
  }

  #setListening(isListening: boolean): void {
    this.#isListening = isListening;
    this.#listener?.onBreak();
  }
}
