/**
 * Idempotency keys: for 24 hours the same key means the same task.
 *
 *     organizations/<id>/idempotency/<day>/<sha256 of the key>.<n>.json   claim: owner process, task id, body hash
 *     organizations/<id>/idempotency/<day>/<sha256 of the key>.<n>.done   exists once the task exists
 *
 * The claim stores the task's id before the task is created. If the owner of a claim is dead, the next request looks for
 * the task: an existing task is the answer; otherwise claim n + 1 is free. While the owner lives, other requests wait.
 */
import { createHash } from 'node:crypto';
import type { ProcessIdentity } from '../../../platform/disk/process-identity.ts';
import { ListingVideoError, nullOn } from '../../../platform/errors.ts';
import { findTask, isGone } from '../../../account/accepted-task.ts';
import type { AccountDeps } from '../../../account/account-options.ts';
import { stillBusy } from '../../accounts/account-rules.ts';
import type { StoragePath } from '../../../account/account-storage.ts';
import type { IdempotencyClaim } from '../../accounts/account-store.ts';
import { organizationPath } from '../../../account/organizations.ts';

const DAY_MS = 24 * 3_600_000;
/** Longest wait for the owner of a claim: enough for a slow disk, short enough for a waiting client. */
const PATIENCE_MS = 10_000;
const POLL_MS = 20;

interface ClaimDocument {
  readonly bodyHash: string;
  readonly taskId: string;
  readonly owner: ProcessIdentity;
  readonly atMs: number;
}

/** A claim whose task was made. */
export interface ExportedClaim extends ClaimDocument {
  /** Hex sha256 of the key. */
  readonly keyHash: string;
}

/** A claim with its day and number. */
interface FoundClaim {
  readonly day: number;
  readonly number: number;
  /** Null if the claim is damaged: then it has no effect. */
  readonly claim: ClaimDocument | null;
}

/** The meaning of an existing claim for a request: an answer, a wait, or nothing because the claim is void. */
type ClaimCheck = IdempotencyClaim | 'wait' | 'void';

export class IdempotencyKeys {
  readonly #deps: AccountDeps;
  readonly #sweptDays = new Map<string, number>();
  readonly #sweeping = new Set<Promise<void>>();

  constructor(deps: AccountDeps) {
    this.#deps = deps;
  }

  /** See `AccountStore.beginIdempotent`. */
  async begin(organizationId: string, key: string, bodyHash: string): Promise<IdempotencyClaim> {
    const { clock } = this.#deps;
    const place = placeOf(organizationId, key);
    this.#sweep(organizationId);
    const untilMs = clock.nowMs() + PATIENCE_MS;
    for (;;) {
      const result = await this.#attempt(place, bodyHash);
      if (typeof result === 'object') return result;
      if (clock.nowMs() >= untilMs) throw stillBusy();
      if (result === 'wait') await new Promise<void>((resolve) => clock.schedule(resolve, POLL_MS));
    }
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    await Promise.all(this.#sweeping);
  }

  /** Returns `void` if another request created its claim first: the next attempt finds that claim. */
  async #attempt(place: KeyPlace, bodyHash: string): Promise<ClaimCheck> {
    const { storage, clock, self } = this.#deps;
    const atMs = clock.nowMs();
    const day = Math.floor(atMs / DAY_MS);
    const latest = await Promise.all([this.#latest(place, day - 1), this.#latest(place, day)]);
    for (const found of latest) {
      const result = await this.#check(place, found, bodyHash);
      if (result !== 'void') return result;
    }
    const number = (latest[1]?.number ?? 0) + 1;
    const taskId = await this.#deps.newTaskId();
    const claim: ClaimDocument = { bodyHash, taskId, owner: self, atMs };
    if (!(await storage.create(place.claim(day, number), claim))) return 'void';
    // Around midnight another process can claim the same key in the folder of the day before or after.
    for (const other of [day - 1, day + 1]) {
      if ((await this.#check(place, await this.#latest(place, other), bodyHash)) === 'void') continue;
      await storage.remove(place.claim(day, number));
      return 'wait';
    }
    return this.#newClaim(place, { day, number, claim });
  }

  async #check(place: KeyPlace, found: FoundClaim | null, bodyHash: string): Promise<ClaimCheck> {
    if (found?.claim == null) return 'void';
    const { claim, day, number } = found;
    const { storage, clock, tasks } = this.#deps;
    if (clock.nowMs() - claim.atMs >= DAY_MS) return 'void';
    const isSame = claim.bodyHash === bodyHash;
    const answer: IdempotencyClaim = isSame ? { kind: 'replay', taskId: claim.taskId } : { kind: 'reused' };
    // Check the process before the task: a missing task of a dead process can no longer appear.
    const isAbandoned = isGone(claim.owner, claim.atMs, this.#deps);
    if (await storage.has(place.done(day, number))) return answer;
    // After this time the task can exist without its mark: look for the task itself.
    if (isAbandoned || clock.nowMs() - claim.atMs > PATIENCE_MS) {
      if ((await findTask(tasks, claim.taskId)) !== null) return answer;
      if (isAbandoned) return 'void';
    }
    return isSame ? 'wait' : answer;
  }

  #newClaim(
    place: KeyPlace,
    { day, number, claim }: FoundClaim & { claim: ClaimDocument },
  ): IdempotencyClaim {
    const { storage, tasks } = this.#deps;
    let isEnded = false;
    const commit = async (): Promise<void> => {
      if (isEnded) return;
      isEnded = true;
      // Without the mark, later requests find the task itself after a wait.
      await storage.mark(place.done(day, number)).catch(() => {});
    };
    const abort = async (): Promise<void> => {
      if (isEnded) return;
      // The store can fail after it has created the task.
      if ((await findTask(tasks, claim.taskId)) !== null) return commit();
      isEnded = true;
      await storage.remove(place.claim(day, number));
    };
    return { kind: 'new', taskId: claim.taskId, commit, abort };
  }

  async #latest(place: KeyPlace, day: number): Promise<FoundClaim | null> {
    let latest: FoundClaim | null = null;
    for (let number = 1; ; number++) {
      const claim = await this.#read(place.claim(day, number));
      if (claim === undefined) return latest;
      latest = { day, number, claim };
    }
  }

  /** Undefined if it does not exist, null if it is damaged. */
  async #read(path: StoragePath): Promise<ClaimDocument | null | undefined> {
    try {
      const document = await this.#deps.storage.read(path);
      if (document === null) return undefined;
      const { bodyHash, taskId, owner, atMs } = document as Partial<ClaimDocument>;
      const isWhole = typeof bodyHash === 'string' && typeof taskId === 'string' && typeof atMs === 'number';
      return isWhole && typeof owner?.pid === 'number' ? { bodyHash, taskId, owner, atMs } : null;
    } catch (error) {
      if (error instanceof ListingVideoError && error.code === 'store_corrupt') return null;
      throw error;
    }
  }

  /** Removes the folders of days before yesterday, once a day. */
  #sweep(organizationId: string): void {
    const today = Math.floor(this.#deps.clock.nowMs() / DAY_MS);
    if (this.#sweptDays.get(organizationId) === today) return;
    this.#sweptDays.set(organizationId, today);
    const { storage } = this.#deps;
    const root = [...organizationPath(organizationId), 'idempotency'];
    const sweep = async (): Promise<void> => {
      for (const name of await storage.names(root)) {
        if (/^[0-9]+$/.test(name) && Number(name) < today - 1) await storage.removeFolder([...root, name]);
      }
    };
    // The sweep of the next day removes the rest.
    const sweeping: Promise<void> = sweep()
      .catch(() => {})
      .finally(() => this.#sweeping.delete(sweeping));
    this.#sweeping.add(sweeping);
  }
}

/** The paths of the claims of one key. They contain its hash, never the key. */
function placeOf(organizationId: string, key: string) {
  const root = [...organizationPath(organizationId), 'idempotency'];
  const hash = createHash('sha256').update(key).digest('hex');
  return {
    claim: (day: number, number: number): StoragePath => [...root, String(day), `${hash}.${number}.json`],
    done: (day: number, number: number): StoragePath => [...root, String(day), `${hash}.${number}.done`],
  };
}

type KeyPlace = ReturnType<typeof placeOf>;

/** The claims of an organization that are in force: those of today and yesterday whose task was made. */
export async function exportClaims(
  organizationId: string,
  deps: Pick<AccountDeps, 'storage' | 'clock'>,
): Promise<ExportedClaim[]> {
  const root = [...organizationPath(organizationId), 'idempotency'];
  const today = Math.floor(deps.clock.nowMs() / DAY_MS);
  const claims = new Map<string, ExportedClaim>();
  for (const day of [today - 1, today]) {
    for (const name of await deps.storage.names([...root, String(day)])) {
      const [, keyHash = '', number = ''] = /^([0-9a-f]{64})\.([1-9][0-9]*)\.done$/.exec(name) ?? [];
      if (keyHash === '') continue;
      const path = [...root, String(day), `${keyHash}.${number}.json`];
      const document = (await deps.storage.read(path).catch(nullOn('store_corrupt'))) as ClaimDocument | null;
      const isInForce = document !== null && deps.clock.nowMs() - document.atMs < DAY_MS;
      // Of several claims of one key, the latest counts.
      if (isInForce && !(document.atMs < (claims.get(keyHash)?.atMs ?? 0)))
        claims.set(keyHash, { ...document, keyHash });
    }
  }
  return [...claims.values()];
}
