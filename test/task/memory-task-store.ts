/**
 * A task store in memory, for tests of everything that uses a store. It passes the same contract suite as the file
 * store and shares its decisions.
 */

import type { Liveness, ProcessIdentity } from '../../src/platform/disk/process-identity.ts';
import { systemTaskClock } from '../../src/task/engine/task-clock.ts';
import { inQueueOrder, isClaimable } from '../../src/task/queue-order.ts';
import type {
  JsonValue,
  NewTask,
  TaskProgress,
  TaskRecord,
  TaskState,
  TaskSummary,
} from '../../src/task/task.ts';
import { isTaskId, taskIdTimeMs, taskNotFound } from '../../src/task/task-id.ts';
import {
  cancelMove,
  claimMove,
  claimNextMove,
  type Deciding,
  endMove,
  holderOf,
  reclaimMove,
  retryMove,
  type TaskSnapshot,
} from '../../src/task/task-moves.ts';
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
} from '../../src/task/task-store.ts';
import { isTerminal, newTaskRecord, stateConflict } from '../../src/task/task-transition.ts';
import { summarizePayload } from '../../src/video/video-task-summary.ts';

interface Entry {
  task: TaskRecord;
  readonly payload: JsonValue;
  owner: ProcessIdentity;
  heartbeatMs: number;
}

export interface MemoryTaskStoreOptions {
  readonly nowMs?: () => number;
  readonly self?: ProcessIdentity;
  readonly liveness?: (owner: ProcessIdentity) => Liveness;
  readonly lease?: Lease;
  /** By default the summary of a video task. */
  readonly summarize?: (payload: unknown) => TaskSummary | null;
  /** The stored tasks. Stores with the same map behave like processes with the same data folder. */
  readonly entries?: Map<string, unknown>;
  readonly beforeEnd?: BeforeEnd;
}

/** Opens an empty store, or another view of `entries`. */
export function createMemoryTaskStore(options: MemoryTaskStoreOptions = {}): TaskStore {
  return new MemoryTaskStore(options);
}

const SELF: ProcessIdentity = { pid: 1, host: 'memory', boot: 'memory', space: 'memory', started: '0' };

class MemoryTaskStore implements TaskStore {
  readonly lease: Lease;
  readonly #entries: Map<string, Entry>;
  readonly #by: () => Deciding;
  readonly #summarize: (payload: unknown) => TaskSummary | null;
  readonly #beforeEnd: BeforeEnd | undefined;

  constructor(options: MemoryTaskStoreOptions) {
    const { nowMs = systemTaskClock.nowMs, self = SELF, lease = FILE_LEASE } = options;
    this.lease = lease;
    const { liveness = () => 'alive' as const, entries = new Map() } = options;
    this.#entries = entries as Map<string, Entry>;
    this.#summarize = options.summarize ?? summarizePayload;
    this.#beforeEnd = options.beforeEnd;
    this.#by = () => ({ nowMs: nowMs(), leaseMs: lease.durationMs, self, liveness });
  }

  async create(newTask: NewTask): Promise<TaskRecord> {
    const by = this.#by();
    const createdAt = new Date(taskIdTimeMs(newTask.id)).toISOString();
    const payload = structuredClone(newTask.payload);
    const summary = this.#summarize(payload);
    const task = newTaskRecord({ ...newTask, summary }, createdAt, by.self);
    if (this.#entries.has(task.id)) throw stateConflict(task, 'a task with this id exists');
    this.#entries.set(task.id, { task, payload, owner: by.self, heartbeatMs: by.nowMs });
    return task;
  }

  async get(id: string): Promise<TaskRecord> {
    return this.#entry(id).task;
  }

  async payload(id: string): Promise<JsonValue> {
    return this.#entry(id).payload;
  }

  summarize(payload: unknown): TaskSummary | null {
    return this.#summarize(payload);
  }

  async list(query: TaskQuery): Promise<TaskPage> {
    const { state, organizationId, startingAfter, limit } = query;
    const isOwn = (task: TaskRecord) =>
      organizationId === undefined || task.organizationId === organizationId;
    if (startingAfter !== undefined && !isOwn(this.#entry(startingAfter).task))
      throw taskNotFound(startingAfter);
    const data = this.#oldestFirst()
      .reverse()
      .filter((task) => isOwn(task) && (state === undefined || task.state === state))
      .filter((task) => startingAfter === undefined || task.id < startingAfter);
    return { data: data.slice(0, limit), hasMore: data.length > limit, warnings: [] };
  }

  async count({ state, organizationId, atMost }: CountQuery): Promise<number> {
    const isCounted = (task: TaskRecord) =>
      task.state === state && (organizationId === undefined || task.organizationId === organizationId);
    return Math.min(atMost, this.#oldestFirst().filter(isCounted).length);
  }

  async claim(id: string): Promise<ClaimResult> {
    return this.#tryClaim(id, (at) => claimMove(at, true, this.#by()));
  }

  async claimNext(query: ClaimQuery): Promise<ClaimResult | null> {
    const move = (at: TaskSnapshot) => claimNextMove(at, query.trustLeases, this.#by());
    if (query.only !== undefined) {
      const found = this.#oldestFirst().find(({ id }) => id === query.only?.id);
      if (found === undefined) return null;
      if (!isClaimable(found, query, this.#by().nowMs)) return { kind: 'refused', task: found };
      return this.#tryClaim(found.id, move);
    }
    const claimFirst = async (tasks: AsyncIterable<TaskRecord>): Promise<ClaimResult | null> => {
      for await (const { id } of tasks) {
        const result = await this.#tryClaim(id, move);
        if (result.kind !== 'refused') return result;
      }
      return null;
    };
    const candidates = (state: TaskState) =>
      this.#oldestFirst().filter(
        (task) => task.state === state && isClaimable(task, query, this.#by().nowMs),
      );
    const lost = await claimFirst(inQueueOrder(candidates('RUNNING')));
    if (lost !== null) return lost;
    const waiting = candidates('PENDING');
    const rankOf = (organizationId: string | null) =>
      organizationId === null ? Infinity : (query.turns?.rank.get(organizationId) ?? -Infinity);
    const organizations = [...new Set(waiting.map(({ organizationId }) => organizationId))];
    const compare = (a: number, b: number) => (a === b ? 0 : a < b ? -1 : 1);
    for (const each of organizations.sort((a, b) => compare(rankOf(a), rankOf(b)))) {
      const queue = waiting.filter(({ organizationId }) => organizationId === each);
      const result = await claimFirst(inQueueOrder(queue));
      if (result !== null) return result;
    }
    return null;
  }

  async #tryClaim(id: string, move: (at: TaskSnapshot) => TaskRecord | null): Promise<ClaimResult> {
    const at = this.#snapshot(id);
    const next = move(at);
    if (next === null) return { kind: 'refused', task: at.task };
    const task = await this.#change(at, next);
    if (task.state === 'RUNNING') {
      const runnable = { ...task, payload: this.#entry(id).payload };
      return { kind: 'claimed', claim: { id, fence: task.fence, task: runnable } };
    }
    return { kind: task.state === 'PENDING' ? 'refused' : 'ended', task };
  }

  async heartbeat(claim: ClaimKey): Promise<ClaimStatus> {
    const status = await this.check(claim);
    if (status !== 'lost') this.#entry(claim.id).heartbeatMs = this.#by().nowMs;
    return status;
  }

  async check(claim: ClaimKey): Promise<ClaimStatus> {
    const task = this.#entries.get(claim.id)?.task;
    if (task?.fence !== claim.fence) return 'lost';
    return task.cancelRequested ? 'cancel-requested' : 'owned';
  }

  async saveProgress(claim: ClaimKey, progress: TaskProgress): Promise<void> {
    const entry = this.#entries.get(claim.id);
    if (entry?.task.fence === claim.fence) entry.task = { ...entry.task, progress };
  }

  async settle(claim: ClaimKey, end: AttemptEnd, progress: TaskProgress | null): Promise<TaskRecord> {
    const at = this.#snapshot(claim.id);
    if (at.fence !== claim.fence) throw leaseLost(claim);
    const latest = { ...at, task: { ...at.task, progress: progress ?? at.task.progress } };
    return this.#change(latest, endMove(latest, structuredClone(end), this.#by()));
  }

  async requestCancel(id: string): Promise<TaskRecord> {
    const at = this.#snapshot(id);
    const next = cancelMove(at, this.#by());
    if (next !== null) return this.#change(at, next);
    const entry = this.#entry(id);
    entry.task = { ...entry.task, cancelRequested: true };
    return entry.task;
  }

  async retry(id: string, number?: number): Promise<TaskRecord> {
    const at = this.#snapshot(id);
    return this.#change(at, retryMove(at, number, this.#by()));
  }

  async reclaim(id: string): Promise<TaskRecord> {
    const at = this.#snapshot(id);
    const next = reclaimMove(at, this.#by());
    return next === null ? at.task : this.#change(at, next);
  }

  async reclaimAbandoned(): Promise<readonly TaskRecord[]> {
    const ended: TaskRecord[] = [];
    for (const task of this.#oldestFirst()) {
      if (task.state !== 'RUNNING') continue;
      const now = await this.reclaim(task.id);
      if (now.state === 'FAILED') ended.push(now);
    }
    return ended;
  }

  async prune(query: PruneQuery): Promise<PruneReport> {
    const removed = this.#oldestFirst()
      .filter((task) => query.states.some((state) => state === task.state))
      .filter((task) => query.origin === undefined || task.origin === query.origin)
      .filter((task) => Date.parse(task.updatedAt) < query.olderThanMs)
      .map((task) => task.id);
    for (const id of query.isDryRun ? [] : removed) {
      await query.beforeRemove?.(this.#entry(id).task);
      this.#entries.delete(id);
    }
    return { removed, warnings: [] };
  }

  #oldestFirst(): TaskRecord[] {
    return [...this.#entries.values()].map(({ task }) => task).sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  #entry(id: string): Entry {
    const entry = isTaskId(id) ? this.#entries.get(id) : undefined;
    if (entry === undefined) throw taskNotFound(id);
    return entry;
  }

  #snapshot(id: string): TaskSnapshot {
    const { task, owner, heartbeatMs } = this.#entry(id);
    const holder = task.state === 'RUNNING' ? holderOf(owner, heartbeatMs, this.#by()) : 'none';
    return { task, fence: task.fence, holder, cancelRequested: task.cancelRequested };
  }

  async #change(at: TaskSnapshot, next: TaskRecord): Promise<TaskRecord> {
    const { self, nowMs } = this.#by();
    const task = { ...next, fence: at.fence + 1 };
    if (this.#beforeEnd !== undefined && isTerminal(task.state)) await this.#beforeEnd(task);
    const { payload } = this.#entry(task.id);
    this.#entries.set(task.id, { task, payload, owner: self, heartbeatMs: nowMs });
    return task;
  }
}
