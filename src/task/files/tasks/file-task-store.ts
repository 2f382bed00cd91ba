/**
 * The store of tasks in plain files, for one machine and any number of its processes:
 *
 *     <home>/tasks/<shard>/<id>/   the files of a task; `task-folder.ts` describes them and how a task changes
 *     <home>/index/                names that lead to the tasks of a state; `task-index.ts`
 *     <home>/trash/                what is being made or removed
 *
 * It holds no locks, and scans nothing at start unless the index is missing.
 */
import pLimit from 'p-limit';
import { toStoreError } from '../../../platform/disk/disk-error.ts';
import {
  type Liveness,
  livenessOf,
  type ProcessIdentity,
  systemProbe,
} from '../../../platform/disk/process-identity.ts';
import { ListingVideoError } from '../../../platform/errors.ts';
import { systemTaskClock } from '../../engine/task-clock.ts';
import { inQueueOrder, isClaimable } from '../../queue-order.ts';
import {
  type JsonValue,
  type NewTask,
  TASK_STATES,
  type TaskProgress,
  type TaskRecord,
  type TaskSummary,
} from '../../task.ts';
import { taskIdTimeMs } from '../../task-id.ts';
import {
  cancelMove,
  claimMove,
  claimNextMove,
  type Deciding,
  endMove,
  reclaimMove,
  retryMove,
  type TaskSnapshot,
} from '../../task-moves.ts';
import {
  type AttemptEnd,
  type BeforeEnd,
  type ClaimKey,
  type ClaimQuery,
  type ClaimResult,
  type ClaimStatus,
  type CountQuery,
  FILE_LEASE,
  type Lease,
  leaseLost,
  type PruneQuery,
  type PruneReport,
  type TaskPage,
  type TaskQuery,
  type TaskStore,
} from '../../task-store.ts';
import { isTerminal, newTaskRecord, stateConflict } from '../../task-transition.ts';
import { listTasks } from './list-tasks.ts';
import { PageCache } from './page-cache.ts';
import { pruneTasks } from './prune-tasks.ts';
import { type ListedTask, TaskFolders, UNFINISHED_MS } from './task-folder.ts';
import { type EntryKey, entryOf, type IndexEntry, organizationKey, TaskIndex } from './task-index.ts';

export interface FileTaskStoreOptions {
  /** The data folder. The first write creates it. */
  readonly home: string;
  readonly nowMs?: () => number;
  /** The identity of this process, and the check of other processes. By default from the operating system. */
  readonly self?: ProcessIdentity;
  readonly liveness?: (owner: ProcessIdentity) => Liveness;
  readonly lease?: Lease;
  /** How long a page of tasks is cached. Default 0. Own changes show at once. */
  readonly listCacheTtlMs?: number;
  /** Milliseconds of a clock that never runs backwards. */
  readonly monotonicMs?: () => number;
  /** Makes the summary of a payload. By default tasks have none. */
  readonly summarize?: (payload: unknown) => TaskSummary | null;
  readonly beforeEnd?: BeforeEnd;
  /** False skips every flush to disk, for tests and benchmarks. */
  readonly durable?: boolean;
}

/** Pages that are read at once: any number of clients can ask for different pages. Each needs about 16 MiB at most. */
const MAX_LISTS = 4;
/** Known to one process; more are forgotten. */
const MAX_INDEXED = 10_000;

/** Opens the store in `home`. It touches no file until its first use. */
export function createFileTaskStore(options: FileTaskStoreOptions): TaskStore {
  return new FileTaskStore(options);
}

class FileTaskStore implements TaskStore {
  readonly lease: Lease;
  readonly summarize: (payload: unknown) => TaskSummary | null;
  readonly #deciding: () => Deciding;
  readonly #folders: TaskFolders;
  readonly #index: TaskIndex;
  readonly #pages: PageCache;
  readonly #beforeEnd: BeforeEnd;
  readonly #listing = pLimit(MAX_LISTS);
  /** Tasks with states whose entries were there. */
  readonly #indexed = new Set<string>();

  constructor(options: FileTaskStoreOptions) {
    const { home, nowMs = systemTaskClock.nowMs, lease = FILE_LEASE, durable = true } = options;
    const { listCacheTtlMs = 0, monotonicMs = () => performance.now() } = options;
    const probe = systemProbe();
    const { self = probe.self, liveness = (owner) => livenessOf(owner, probe) } = options;
    this.lease = lease;
    this.summarize = options.summarize ?? (() => null);
    this.#deciding = () => ({ nowMs: nowMs(), leaseMs: lease.durationMs, self, liveness });
    this.#beforeEnd = options.beforeEnd ?? (async () => {});
    this.#folders = new TaskFolders({ home, durable, deciding: this.#deciding });
    this.#index = new TaskIndex(home, durable, () => this.#allEntries());
    this.#pages = new PageCache(listCacheTtlMs, monotonicMs);
  }

  /** The entries of a new index. */
  async *#allEntries(): AsyncGenerator<EntryKey, void> {
    for await (const id of this.#folders.ids()) {
      const task = await this.#folders.read(id).catch(nullIfAboutOneTask);
      if (task === null) await this.#folders.refuseEarlierLayout(id);
      // With an entry, lists show a warning for a task that cannot be read.
      yield task === null ? { state: 'FAILED', name: id } : entryOf(task);
    }
  }

  async create(newTask: NewTask): Promise<TaskRecord> {
    const createdAt = new Date(taskIdTimeMs(newTask.id)).toISOString();
    const summary = this.summarize(newTask.payload);
    const task = newTaskRecord({ ...newTask, summary }, createdAt, this.#deciding().self);
    const entry = entryOf(task);
    try {
      // First, so that no task exists that nobody finds.
      const folders = await this.#index.add(entry);
      await Promise.all([
        this.#index.flush(folders),
        this.#folders.create(task, newTask.payload).then(() => this.#index.add(entry)),
      ]);
    } catch (error) {
      // A task that has this id keeps its entry.
      const isOthers = error instanceof ListingVideoError && error.code === 'task_state_conflict';
      if (!isOthers) await this.#index.remove(entry).catch(() => {});
      throw toStoreError(error, this.#folders.path(task.id));
    }
    this.#pages.clear();
    return task;
  }

  async get(id: string): Promise<TaskRecord> {
    // Throws the error for an unknown task.
    const task = (await this.#folders.read(id)) ?? (await this.#folders.inspect(id)).task;
    // Looked for once in each state: clients ask for the same task again and again.
    const known = `${id} ${task.state}`;
    if (this.#indexed.has(known)) return task;
    await this.#restoreEntry(task);
    if (this.#indexed.size >= MAX_INDEXED) this.#indexed.clear();
    this.#indexed.add(known);
    return task;
  }

  /** Makes an entry that somebody deleted again. The task is read all the same if that is not possible. */
  async #restoreEntry(task: TaskRecord): Promise<void> {
    if (await this.#index.restore(entryOf(task)).catch(() => false)) {
      this.#pages.clear();
      await this.#correctEntry(entryOf(task), task).catch(() => {});
    }
  }

  payload(id: string): Promise<JsonValue> {
    return this.#folders.payload(id);
  }

  async list(query: TaskQuery): Promise<TaskPage> {
    const readEntry = (entry: IndexEntry) => this.#readEntry(entry);
    const deps = { folders: this.#folders, index: this.#index, readEntry };
    return this.#pages.page(query, () => this.#listing(() => listTasks(query, deps)));
  }

  async count({ state, organizationId, atMost }: CountQuery): Promise<number> {
    let count = 0;
    // Counts names: a few can be outdated, but reading all records would cost a thousand times more.
    for await (const _ of this.#index.walk({ states: [state], order: 'oldest', organizationId })) {
      count += 1;
      if (count >= atMost) break;
    }
    return count;
  }

  async claim(id: string): Promise<ClaimResult> {
    return this.#tryClaim(id, (at) => claimMove(at, true, this.#deciding()));
  }

  async claimNext(query: ClaimQuery): Promise<ClaimResult | null> {
    const running = this.#candidates(this.#index.walk({ states: ['RUNNING'], order: 'oldest' }), query);
    const lost = await this.#claimFirst(running, query);
    if (lost !== null) return lost;
    for (const queue of await this.#queues(query)) {
      const result = await this.#claimFirst(inQueueOrder(this.#candidates(queue, query)), query);
      if (result !== null) return result;
    }
    return null;
  }

  /** The waiting tasks of each organization, oldest first. The queues are in the order of their turns. */
  async #queues({ turns }: ClaimQuery): Promise<readonly (readonly IndexEntry[])[]> {
    const queues = new Map<string | null, IndexEntry[]>();
    for await (const entry of this.#index.walk({ states: ['PENDING'], order: 'oldest' })) {
      const queue = queues.get(entry.organization);
      if (queue === undefined) queues.set(entry.organization, [entry]);
      else queue.push(entry);
    }
    const ranks = new Map([...(turns?.rank ?? [])].map(([id, rank]) => [organizationKey(id), rank]));
    const rankOf = (key: string | null) => (key === null ? Infinity : (ranks.get(key) ?? -Infinity));
    // The map is in the order of the oldest tasks, which decides between equal ranks.
    const sorted = [...queues].sort(([a], [b]) => compare(rankOf(a), rankOf(b)));
    return sorted.map(([, queue]) => queue);
  }

  async #claimFirst(tasks: AsyncIterable<TaskRecord>, query: ClaimQuery): Promise<ClaimResult | null> {
    for await (const { id } of tasks) {
      const move = (at: TaskSnapshot) => claimNextMove(at, query.trustLeases, this.#deciding());
      const result = await this.#tryClaim(id, move).catch(nullIfAboutOneTask);
      if (result !== null && result.kind !== 'refused') return result;
    }
    return null;
  }

  async *#candidates(
    entries: AsyncIterable<IndexEntry> | Iterable<IndexEntry>,
    query: ClaimQuery,
  ): AsyncGenerator<TaskRecord, void> {
    for await (const entry of entries) {
      if (entry.origin !== null && entry.origin !== query.origin) continue;
      const { task = null } = (await this.#readEntry(entry).catch(nullIfAboutOneTask)) ?? {};
      if (task !== null && isClaimable(task, query, this.#deciding().nowMs)) yield task;
    }
  }

  async #tryClaim(id: string, move: (at: TaskSnapshot) => TaskRecord | null): Promise<ClaimResult> {
    let payload: JsonValue | undefined;
    const { at, changed } = await this.#decide(id, async (at) => {
      const next = move(at);
      // Before the claim: a payload that cannot be read now leaves the task as it is.
      if (next?.state === 'RUNNING' && payload === undefined) payload = await this.#folders.payload(id);
      return next;
    });
    if (changed === null) return { kind: 'refused', task: at.task };
    if (isTerminal(changed.state)) return { kind: 'ended', task: changed };
    // It lost its server again and is back in the queue.
    if (changed.state === 'PENDING') return { kind: 'refused', task: changed };
    return {
      kind: 'claimed',
      claim: { id, fence: changed.fence, task: { ...changed, payload: payload ?? null } },
    };
  }

  async heartbeat(claim: ClaimKey): Promise<ClaimStatus> {
    await this.#folders.heartbeat(claim);
    return this.check(claim);
  }

  check(claim: ClaimKey): Promise<ClaimStatus> {
    return this.#folders.check(claim);
  }

  async saveProgress(claim: ClaimKey, progress: TaskProgress): Promise<void> {
    if ((await this.check(claim)) === 'lost') return;
    await this.#folders.saveProgress(claim, progress);
    this.#pages.clear();
  }

  async settle(claim: ClaimKey, end: AttemptEnd, progress: TaskProgress | null): Promise<TaskRecord> {
    const at = await this.#folders.inspect(claim.id);
    if (at.fence === claim.fence && at.task.fence === claim.fence) {
      const latest = { ...at, task: { ...at.task, progress: progress ?? at.task.progress } };
      const task = await this.#change(latest, endMove(latest, end, this.#deciding()));
      if (task !== null) return task;
    }
    throw leaseLost(claim);
  }

  async requestCancel(id: string): Promise<TaskRecord> {
    for (;;) {
      const { at, changed } = await this.#decide(id, (at) => cancelMove(at, this.#deciding()));
      if (changed !== null) return changed;
      await this.#folders.requestCancel(id, at.fence);
      this.#pages.clear();
      // The owner of a later claim honors the request, unless it looked before the request was written.
      const after = await this.#folders.inspect(id);
      if (after.fence === at.fence) return { ...after.task, cancelRequested: after.task.state === 'RUNNING' };
    }
  }

  retry(id: string, number?: number): Promise<TaskRecord> {
    return this.#moveUnlessLive(id, (at) => retryMove(at, number, this.#deciding()));
  }

  reclaim(id: string): Promise<TaskRecord> {
    return this.#moveUnlessLive(id, (at) => reclaimMove(at, this.#deciding()));
  }

  async #moveUnlessLive(id: string, move: (at: TaskSnapshot) => TaskRecord | null): Promise<TaskRecord> {
    const { at, changed } = await this.#decide(id, (at) => {
      const next = move(at);
      if (next !== null && at.holder === 'live')
        throw stateConflict(at.task, 'another command is changing it right now', 'Try again.');
      return next;
    });
    return changed ?? at.task;
  }

  async reclaimAbandoned(): Promise<readonly TaskRecord[]> {
    const ended: TaskRecord[] = [];
    for await (const entry of this.#index.walk({ states: ['RUNNING'], order: 'oldest' })) {
      if (entry.origin === 'api') continue;
      try {
        const { task: before = null } = (await this.#readEntry(entry)) ?? {};
        if (before?.origin !== 'cli' || before.state !== 'RUNNING') continue;
        const task = await this.reclaim(entry.id);
        if (task.fence !== before.fence && task.state === 'FAILED') ended.push(task);
      } catch (error) {
        nullIfAboutOneTask(error);
      }
    }
    return ended;
  }

  async prune(query: PruneQuery): Promise<PruneReport> {
    if (!query.isDryRun) await this.#restoreEntries();
    const report = await pruneTasks(query, this.#folders, this.#index);
    this.#pages.clear();
    return report;
  }

  /** Of all tasks. Reads only the records of those that have no entry at all. */
  async #restoreEntries(): Promise<void> {
    const indexed = new Set<string>();
    for await (const { id } of this.#index.walk({ states: TASK_STATES, order: 'oldest' })) indexed.add(id);
    for await (const id of this.#folders.ids()) {
      if (indexed.has(id)) continue;
      const task = await this.#folders.read(id).catch(nullIfAboutOneTask);
      if (task !== null) await this.#restoreEntry(task);
    }
  }

  /** Decides and changes the task, again after each lost race. `changed` is null if the decision is null. */
  async #decide(
    id: string,
    decide: (at: TaskSnapshot) => TaskRecord | null | Promise<TaskRecord | null>,
  ): Promise<{ at: TaskSnapshot; changed: TaskRecord | null }> {
    for (;;) {
      const at = await this.#folders.inspect(id);
      const next = await decide(at);
      const changed = next === null ? null : await this.#change(at, next);
      if (next === null || changed !== null) return { at, changed };
    }
  }

  /** Changes the record and its entry. Null if another process was first. */
  async #change(at: TaskSnapshot, next: TaskRecord): Promise<TaskRecord | null> {
    const isMoved = at.task.state !== next.state;
    const isEnd = isMoved && isTerminal(next.state);
    let task: TaskRecord | null;
    try {
      if (isMoved) await this.#index.add(entryOf(next));
      task = await this.#folders.change(at, next, isEnd ? this.#beforeEnd : undefined);
    } catch (error) {
      throw toStoreError(error, this.#folders.path(next.id));
    } finally {
      // Also after a failure, because part of the change can be on disk.
      this.#pages.clear();
    }
    // The record counts. If its entry stays wrong, the next reader corrects it.
    if (task !== null && isMoved) await this.#correctEntry(entryOf(at.task), task).catch(() => {});
    return task;
  }

  /** The task of an entry, which it corrects. Null if the task does not exist. @throws `store_corrupt` */
  async #readEntry(entry: IndexEntry): Promise<ListedTask | null> {
    const listed = await this.#folders.readListed(entry.id);
    const { task = null } = listed ?? {};
    if (task !== null && !isEqual(entryOf(task), entry)) {
      await this.#correctEntry(entry, task).catch(() => {});
    }
    const ageMs = this.#deciding().nowMs - taskIdTimeMs(entry.id);
    if (task === null && entry.state !== 'SUCCEEDED' && entry.state !== 'FAILED' && ageMs > UNFINISHED_MS) {
      // Its creation crashed. A prune finishes removals.
      await this.#index.remove(entry).catch(() => {});
    }
    return listed;
  }

  /** Replaces a wrong entry of a task. Looks again after that, because other processes can change both meanwhile. */
  async #correctEntry(entry: EntryKey, task: TaskRecord): Promise<void> {
    const right = entryOf(task);
    // A reader that saw this entry before the record can have removed it.
    await this.#index.flush(await this.#index.add(right));
    if (!isEqual(right, entry)) await this.#index.remove(entry);
    const later = await this.#folders.read(task.id);
    if (later === null) return this.#index.remove(right);
    if (later.fence !== task.fence) return this.#correctEntry(right, later);
  }
}

function nullIfAboutOneTask(error: unknown): null {
  const codes = ['store_corrupt', 'task_not_found', 'task_state_conflict'];
  if (error instanceof ListingVideoError && codes.includes(error.code)) return null;
  throw error;
}

function isEqual(a: EntryKey, b: EntryKey): boolean {
  return a.state === b.state && a.name === b.name;
}

function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
