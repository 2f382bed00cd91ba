/**
 * The store of tasks in plain files, for one machine and any number of its processes:
 *
 *     <home>/tasks/<shard>/<id>/task.json             the record: one lowdb document per task
 *     <home>/tasks/<shard>/<id>/payload.json          a large payload, which lists do not read
 *     <home>/tasks/<shard>/<id>/claim.<k>             the right to change it; cancel.<k> and progress.<k>.json beside it
 *     <home>/state/<STATE>/<shard>/<id>               markers of all tasks
 *     <home>/organization/<key>/<STATE>/<shard>/<id>  markers of an organization's tasks
 *
 * It holds no locks, and scans nothing at start unless markers are missing (`marker-upkeep.ts`). `task-folder.ts` describes
 * how a task changes, `state-markers.ts` how tasks are found.
 */
import pLimit from 'p-limit';
import { toStoreError } from '../../../platform/disk/disk-error.ts';
import { type Liveness, livenessOf, type ProcessIdentity, systemProbe } from '../../../platform/disk/process-identity.ts';
import { ListingVideoError } from '../../../platform/errors.ts';
import { systemTaskClock } from '../../engine/task-clock.ts';
import { inQueueOrder, isClaimable } from '../../queue-order.ts';
import type { JsonValue, TaskProgress, TaskRecord, TaskSummary } from '../../task.ts';
import { isTaskId, taskIdTimeMs, taskNotFound } from '../../task-id.ts';
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
import { isTerminal, type NewTask, newTaskRecord, stateConflict } from '../../task-transition.ts';
import { readFolderClaims, touchClaim, writeCancelRequest, writeProgress } from '../../file-store/claim-files.ts';
import { type ClaimQueue, claimQueues } from '../../file-store/claim-queues.ts';
import { CREATION_MS, listTasks } from '../../file-store/file-task-list.ts';
import { pruneTasks } from './prune-tasks.ts';
import { MarkerUpkeep } from '../../file-store/marker-upkeep.ts';
import { walkMarkers } from '../../file-store/marker-walk.ts';
import { TaskFolders } from '../../file-store/task-folder.ts';
import { TaskListCache } from '../../file-store/task-list-cache.ts';
import { type PlacedMarker, TaskMarkers } from '../../file-store/task-markers.ts';
import type { Summarize } from '../../file-store/task-record.ts';

export interface FileTaskStoreOptions {
  /** Folder that contains `tasks/` and `state/`. The first write creates it. */
  readonly home: string;
  readonly nowMs?: () => number;
  /** The identity of this process, and the check of other processes. By default from the operating system. */
  readonly self?: ProcessIdentity;
  readonly liveness?: (owner: ProcessIdentity) => Liveness;
  readonly lease?: Lease;
  /** How long a page of tasks and, after that, its records are cached. Default 0. Own changes show at once. */
  readonly listCacheTtlMs?: number;
  /** Milliseconds of a clock that never runs backwards. */
  readonly monotonicMs?: () => number;
  /** Makes the summary of a payload. By default tasks have none. */
  readonly summarize?: Summarize;
  readonly beforeEnd?: BeforeEnd;
  /** False skips every flush to disk, for tests and benchmarks. */
  readonly durable?: boolean;
}

/** Pages that are read at once. Each needs about 16 MiB at most. */
const MAX_LISTS = 4;

/** Opens the store in `home`. It touches no file until its first use. */
export function createFileTaskStore(options: FileTaskStoreOptions): TaskStore {
  return new FileTaskStore(options);
}

class FileTaskStore implements TaskStore {
  readonly lease: Lease;
  readonly #deciding: () => Deciding;
  readonly #summarize: Summarize;
  readonly #folders: TaskFolders;
  readonly #markers: TaskMarkers;
  readonly #upkeep: MarkerUpkeep;
  readonly #lists: TaskListCache;
  readonly #beforeEnd: BeforeEnd;
  /** Limits the memory of lists: any number of clients can ask for different pages at once. */
  readonly #listing = pLimit(MAX_LISTS);
  /** Tasks of another origin. `claimNext` does not read them again, because an origin never changes. */
  readonly #foreign = new Set<string>();

  constructor(options: FileTaskStoreOptions) {
    const { home, nowMs = systemTaskClock.nowMs, lease = FILE_LEASE, durable = true } = options;
    this.lease = lease;
    const probe = systemProbe();
    const { self = probe.self, liveness = (owner) => livenessOf(owner, probe) } = options;
    this.#deciding = () => ({ nowMs: nowMs(), leaseMs: lease.durationMs, self, liveness });
    this.#summarize = options.summarize ?? (() => null);
    this.#beforeEnd = options.beforeEnd ?? (async () => {});
    const [deciding, summarize] = [this.#deciding, this.#summarize];
    this.#folders = new TaskFolders({ home, durable, deciding, summarize });
    this.#markers = new TaskMarkers(home, durable, (areOwned) => this.#upkeep.ensureMarkers(areOwned));
    // The rebuild itself makes folders without that check.
    this.#upkeep = new MarkerUpkeep(home, this.#folders, new TaskMarkers(home, durable));
    const { listCacheTtlMs = 0, monotonicMs = () => performance.now() } = options;
    this.#lists = new TaskListCache(listCacheTtlMs, monotonicMs);
  }

  async create(newTask: NewTask): Promise<TaskRecord> {
    const createdAt = new Date(taskIdTimeMs(newTask.id)).toISOString();
    const summary = this.#summarize(newTask.payload);
    const task = newTaskRecord({ ...newTask, summary }, createdAt, this.#deciding().self);
    const folder = this.#folders.path(task.id);
    let placed: PlacedMarker[];
    try {
      placed = await this.#markers.add('PENDING', task);
    } catch (error) {
      throw toStoreError(error, folder);
    }
    const [flushed, created] = await Promise.allSettled([
      this.#markers.flush(placed),
      this.#folders.create(task, newTask.payload),
    ]);
    if (created.status === 'rejected') {
      // If a task with this id exists, it keeps its marker.
      if (!isAboutOneTask(created.reason)) await this.#markers.remove('PENDING', task).catch(() => {});
      throw created.reason;
    }
    this.#lists.changed(task.id);
    if (flushed.status === 'rejected') throw toStoreError(flushed.reason, folder);
    // After a creation that was stopped for so long, a list can have removed the marker.
    const isLate = this.#deciding().nowMs - taskIdTimeMs(task.id) > CREATION_MS / 2;
    if (isLate) await this.#markers.keep('PENDING', task.id, placed);
    return task;
  }

  async get(id: string): Promise<TaskRecord> {
    const task = isTaskId(id) ? await this.#folders.read(id) : null;
    // Without a record, `inspect` throws the error for an unknown task or for a missing file.
    return task ?? (await this.#folders.inspect(id)).task;
  }

  async payload(id: string): Promise<JsonValue> {
    if (!isTaskId(id)) throw taskNotFound(id);
    return this.#folders.payload(id);
  }

  summarize(payload: unknown): TaskSummary | null {
    return this.#summarize(payload);
  }

  async list(query: TaskQuery): Promise<TaskPage> {
    const load = async () => {
      await this.#upkeep.ensureMarkers(query.organizationId !== undefined);
      const [folders, markers, cache] = [this.#folders, this.#markers, this.#lists];
      return listTasks(query, { folders, markers, cache, nowMs: this.#deciding().nowMs });
    };
    return this.#lists.page(query, () => this.#listing(load));
  }

  async count({ state, organizationId, atMost }: CountQuery): Promise<number> {
    await this.#upkeep.ensureMarkers(organizationId !== undefined);
    let count = 0;
    // Count markers: a few can be outdated, but reading all records would cost a thousand times more.
    for await (const _ of walkMarkers(this.#markers.trees(state, organizationId), 'oldest')) {
      count += 1;
      if (count >= atMost) break;
    }
    return count;
  }

  async claim(id: string): Promise<ClaimResult> {
    return this.#tryClaim(id, (at) => claimMove(at, true, this.#deciding()));
  }

  async claimNext(query: ClaimQuery): Promise<ClaimResult | null> {
    await this.#upkeep.ensureMarkers(true);
    const running = this.#markers.tree('RUNNING', null);
    const queues = claimQueues(this.#markers, query.turns);
    return (
      (await this.#claimFirst(this.#candidates({ tree: running, maxTasks: Infinity }, query), query)) ??
      (await this.#claimFromQueues(queues, query))
    );
  }

  async #claimFromQueues(queues: AsyncIterable<ClaimQueue>, query: ClaimQuery): Promise<ClaimResult | null> {
    for await (const queue of queues) {
      const result = await this.#claimFirst(inQueueOrder(this.#candidates(queue, query)), query);
      if (result !== null) return result;
    }
    return null;
  }

  async #claimFirst(tasks: AsyncIterable<TaskRecord>, query: ClaimQuery): Promise<ClaimResult | null> {
    for await (const { id } of tasks) {
      const move = (at: TaskSnapshot) => claimNextMove(at, query.trustLeases, this.#deciding());
      const result = await this.#tryClaim(id, move).catch(nullIfAboutOneTask);
      if (result !== null && result.kind !== 'refused') return result;
    }
    return null;
  }

  /** The tasks of a queue that the query can claim, as their records say, in the order of creation. */
  async *#candidates({ tree, maxTasks }: ClaimQueue, query: ClaimQuery): AsyncGenerator<TaskRecord, void> {
    let seen = 0;
    for await (const { id } of walkMarkers([tree], 'oldest')) {
      // All further tasks are younger still.
      const ageMs = this.#deciding().nowMs - taskIdTimeMs(id);
      const { minAgeMs = 0 } = query;
      if (tree.state === 'PENDING' && minAgeMs > 0 && ageMs < minAgeMs) return;
      if (this.#foreign.has(id)) continue;
      if (seen >= maxTasks) return;
      seen += 1;
      // One unreadable task must not block the others. `list` and `get` report it.
      const task = await this.#folders.read(id).catch(nullIfAboutOneTask);
      if (task === null || task.state !== tree.state) continue;
      if (task.origin === query.origin) {
        if (isClaimable(task, query, this.#deciding().nowMs)) yield task;
      } else {
        if (this.#foreign.size >= 10_000) this.#foreign.clear();
        this.#foreign.add(id);
      }
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
    const isThere = await touchClaim(this.#folders.path(claim.id), claim.fence, this.#deciding().nowMs);
    return isThere ? this.check(claim) : 'lost';
  }

  async check(claim: ClaimKey): Promise<ClaimStatus> {
    const claims = await readFolderClaims(this.#folders.path(claim.id));
    if (claims?.highestClaim !== claim.fence) return 'lost';
    return claims.cancelled.has(claim.fence) ? 'cancel-requested' : 'owned';
  }

  async saveProgress(claim: ClaimKey, progress: TaskProgress): Promise<void> {
    if ((await this.check(claim)) === 'lost') return;
    await writeProgress(this.#folders.path(claim.id), claim.fence, progress);
    this.#lists.changed(claim.id);
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
      await writeCancelRequest(this.#folders.path(id), at.fence);
      this.#lists.changed(id);
      // The owner of a later claim honours the request, unless it looked before the request was written.
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

  async reclaimAbandoned(): Promise<readonly TaskRecord[]> {
    const ended: TaskRecord[] = [];
    for await (const { id } of walkMarkers(this.#markers.trees('RUNNING', undefined), 'oldest')) {
      try {
        const before = await this.#folders.read(id);
        if (before?.origin !== 'cli' || before.state !== 'RUNNING') continue;
        const task = await this.reclaim(id);
        if (task.fence !== before.fence && task.state === 'FAILED') ended.push(task);
      } catch (error) {
        if (!isAboutOneTask(error)) throw error;
      }
    }
    return ended;
  }

  async prune(query: PruneQuery): Promise<PruneReport> {
    await this.#upkeep.ensureMarkers(false);
    const report = await pruneTasks(query, this.#folders, this.#markers);
    if (!query.isDryRun) for (const id of report.removed) this.#lists.changed(id);
    return report;
  }

  /** After this process was stopped in a change, it can have removed the marker that a later change made. */
  async #keepMarkersOfLater(task: TaskRecord): Promise<void> {
    if ((await this.#folders.highestClaim(task.id)) === task.fence) return;
    const later = await this.#folders.read(task.id);
    if (later !== null) await this.#markers.add(later.state, later);
  }

  /** Changes the record and then its markers. Null if another process was first. */
  async #change(at: TaskSnapshot, next: TaskRecord): Promise<TaskRecord | null> {
    const isMoved = at.task.state !== next.state;
    let placed: PlacedMarker[] = [];
    const task = await this.#folders
      .change(at, next, async (changed) => {
        if (isMoved && isTerminal(changed.state)) await this.#beforeEnd(changed);
        if (isMoved) placed = await this.#markers.add(next.state, next);
      })
      // Also after a failure, because part of the change can be on disk.
      .finally(() => this.#lists.changed(next.id));
    if (task === null || !isMoved) return task;
    try {
      // A reader that saw the new marker with the old record can have removed the marker.
      await this.#markers.keep(task.state, task.id, placed);
      await this.#markers.remove(at.task.state, task);
      await this.#keepMarkersOfLater(task);
    } catch {
      // The record counts. Readers find the task by the old marker and fix its markers.
    }
    return task;
  }
}

function nullIfAboutOneTask(error: unknown): null {
  if (isAboutOneTask(error)) return null;
  throw error;
}

function isAboutOneTask(error: unknown): boolean {
  return (
    error instanceof ListingVideoError &&
    ['store_corrupt', 'task_not_found', 'task_state_conflict'].includes(error.code)
  );
}
