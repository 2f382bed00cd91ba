/** Wraps a store of JSON into a store whose payloads and outcomes have types. */
import type { Codec, Decoded } from '../platform/disk/json-codec.ts';
import { ListingVideoError } from '../platform/errors.ts';
import { toTaskFailure } from './engine/task-failure.ts';
import type { TaskRecord } from './task.ts';
import type { AttemptEnd, ClaimResult, TaskPage, TaskStore } from './task-store.ts';

export interface TaskCodec<Payload, Outcome> {
  readonly payload: Codec<Payload>;
  readonly outcome: Codec<Outcome>;
}

/**
 * The typed view of `store`. A damaged payload or outcome reads as null and is not changed on disk. Claiming a task
 * with a damaged payload ends it as FAILED with `store_corrupt`.
 */
export function typedTaskStore<Payload, Outcome>(
  store: TaskStore,
  codec: TaskCodec<Payload, Outcome>,
): TaskStore<Payload, Outcome> {
  const typed = (task: TaskRecord) => decodeTask(task, codec.outcome);
  // A cached page must stay the same object, because callers use it as a key of their own caches.
  const pages = new WeakMap<TaskPage, TaskPage<Outcome>>();
  const typedClaim = async (result: ClaimResult): Promise<ClaimResult<Payload, Outcome>> => {
    if (result.kind !== 'claimed') return { kind: result.kind, task: typed(result.task) };
    const { claim } = result;
    const payload = codec.payload.decode(claim.task.payload);
    if ('value' in payload) {
      return {
        kind: 'claimed',
        claim: { ...claim, task: { ...claim.task, payload: payload.value, outcome: null } },
      };
    }
    const failure = toTaskFailure(payloadDamaged(claim.id, payload.problems));
    return { kind: 'ended', task: typed(await store.settle(claim, { kind: 'failed', failure }, null)) };
  };
  return {
    lease: store.lease,
    divisions: store.divisions,
    create: async (task) =>
      typed(await store.create({ ...task, payload: codec.payload.encode(task.payload) })),
    get: async (id) => typed(await store.get(id)),
    payload: async (id) => valueOrNull(codec.payload.decode(await store.payload(id))),
    summarize: (payload) => store.summarize(payload),
    async list(query) {
      const page = await store.list(query);
      const known = pages.get(page) ?? { ...page, data: page.data.map(typed) };
      pages.set(page, known);
      return known;
    },
    count: (query) => store.count(query),
    claim: async (id) => typedClaim(await store.claim(id)),
    async claimNext(query) {
      const result = await store.claimNext(query);
      return result === null ? null : typedClaim(result);
    },
    heartbeat: (claim) => store.heartbeat(claim),
    check: (claim) => store.check(claim),
    saveProgress: (claim, progress) => store.saveProgress(claim, progress),
    settle: async (claim, end, progress) =>
      typed(await store.settle(claim, encodeEnd(end, codec.outcome), progress)),
    requestCancel: async (id) => typed(await store.requestCancel(id)),
    retry: async (id, number) => typed(await store.retry(id, number)),
    reclaim: async (id) => typed(await store.reclaim(id)),
    reclaimAbandoned: async () => (await store.reclaimAbandoned()).map(typed),
    prune: (query) => store.prune(query),
  };
}

/** Encodes an outcome. An invalid one fails the task at once; an exception would cause further attempts. */
function encodeEnd<Outcome>(end: AttemptEnd<Outcome>, codec: Codec<Outcome>): AttemptEnd {
  if (end.kind !== 'succeeded') return end;
  try {
    return { kind: 'succeeded', outcome: codec.encode(end.outcome) };
  } catch (error) {
    return { kind: 'failed', failure: toTaskFailure(error) };
  }
}

/** The record with a typed outcome, which is decoded when it is read: most polls do not read it. */
export function decodeTask<Outcome>(task: TaskRecord, codec: Codec<Outcome>): TaskRecord<Outcome> {
  let outcome: Outcome | null | undefined;
  const typed: TaskRecord<Outcome> = {
    ...task,
    get outcome() {
      if (outcome === undefined) {
        outcome = task.outcome === null ? null : valueOrNull(codec.decode(task.outcome));
      }
      return outcome;
    },
  };
  // JSON output contains the stored values, also the damaged ones.
  return Object.defineProperty(typed, 'toJSON', { value: () => task });
}

function valueOrNull<T>(decoded: Decoded<T>): T | null {
  return 'value' in decoded ? decoded.value : null;
}

function payloadDamaged(id: string, problems: readonly string[]): ListingVideoError {
  const rest = problems.length > 1 ? ` and ${problems.length - 1} more` : '';
  return new ListingVideoError(
    'store_corrupt',
    `the stored request of task ${id} is damaged: "${problems[0]}" is missing or has the wrong type${rest}`,
    { hint: 'run create with the listing again; other tasks are not affected', context: { problems } },
  );
}
