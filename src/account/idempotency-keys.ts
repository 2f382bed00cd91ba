/**
 * Idempotency keys: for 24 hours the same key means the same task.
 *
 *     organizations/<id>/idempotency/<day>/<sha256 of the key>.<n>.json   who makes which task for which body
 *     organizations/<id>/idempotency/<day>/<sha256 of the key>.<n>.done   it is made
 *
 * The id of the task is written down before the task is made. So whoever finds a claim whose maker died can tell whether
 * there is a task: then it is the answer. If not, there never will be, and number n + 1 is free for one of those who
 * want it. A live maker is waited for.
 */
import { createHash } from 'node:crypto';
import type { ProcessIdentity } from '../disk/process-identity.ts';
import { ListingVideoError } from '../errors.ts';
import { findTask, isGone } from './accepted-task.ts';
import type { AccountDeps } from './account-options.ts';
import type { StoragePath } from './account-storage.ts';
import type { IdempotencyClaim } from './account-store.ts';
import { organizationPath } from './organizations.ts';

const DAY_MS = 24 * 3_600_000;
/** Long enough for an accept on a slow disk, and short enough for a client that waits. */
const PATIENCE_MS = 10_000;
const POLL_MS = 20;

interface ClaimDocument {
  readonly bodyHash: string;
  readonly taskId: string;
  readonly owner: ProcessIdentity;
  readonly atMs: number;
}

/** One claim and its place. */
interface FoundClaim {
  readonly day: number;
  readonly number: number;
  /** Null when it is damaged: then it claims nothing. */
  readonly claim: ClaimDocument | null;
}

/** What a found claim means for a request: an answer, waiting, or nothing any more. */
type Verdict = IdempotencyClaim | 'wait' | 'void';

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
    const place = new KeyPlace(organizationId, key);
    this.#sweep(organizationId);
    const untilMs = clock.nowMs() + PATIENCE_MS;
    for (;;) {
      const verdict = await this.#attempt(place, bodyHash);
      if (typeof verdict === 'object') return verdict;
      if (clock.nowMs() >= untilMs) throw stillBusy();
      if (verdict === 'wait') await new Promise<void>((resolve) => clock.schedule(resolve, POLL_MS));
    }
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    await Promise.all(this.#sweeping);
  }

  /** `void` when somebody else was first: then there is something to look at. */
  async #attempt(place: KeyPlace, bodyHash: string): Promise<Verdict> {
    const { storage, clock, self } = this.#deps;
    const atMs = clock.nowMs();
    const day = Math.floor(atMs / DAY_MS);
    const latest = await Promise.all([this.#latest(place, day - 1), this.#latest(place, day)]);
    for (const found of latest) {
      const verdict = await this.#judge(place, found, bodyHash);
      if (verdict !== 'void') return verdict;
    }
    const number = (latest[1]?.number ?? 0) + 1;
    const taskId = await this.#deps.newTaskId();
    const claim: ClaimDocument = { bodyHash, taskId, owner: self, atMs };
    if (!(await storage.create(place.claim(day, number), claim))) return 'void';
    // At midnight another process may have claimed the key in the next folder, or still in the last one.
    for (const other of [day - 1, day + 1]) {
      if ((await this.#judge(place, await this.#latest(place, other), bodyHash)) === 'void') continue;
      await storage.remove(place.claim(day, number));
      return 'wait';
    }
    return this.#newClaim(place, { day, number, claim });
  }

  async #judge(place: KeyPlace, found: FoundClaim | null, bodyHash: string): Promise<Verdict> {
    if (found?.claim == null) return 'void';
    const { claim, day, number } = found;
    const { storage, clock, tasks } = this.#deps;
    if (clock.nowMs() - claim.atMs >= DAY_MS) return 'void';
    const isSame = claim.bodyHash === bodyHash;
    const answer: IdempotencyClaim = isSame ? { kind: 'replay', taskId: claim.taskId } : { kind: 'reused' };
    // Judged first: once its maker is gone, a task that is not there will never be.
    const isAbandoned = isGone(claim.owner, claim.atMs, this.#deps);
    if (await storage.has(place.done(day, number))) return answer;
    // After so long the task, if there is one, was made and only the mark was not.
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
      // The task is there and answers for itself, only later.
      await storage.mark(place.done(day, number)).catch(() => {});
    };
    const abort = async (): Promise<void> => {
      if (isEnded) return;
      // A store may fail after it has made the task.
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

  /** Undefined when there is none, null when it is damaged. */
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

  /** Once a day: removes the folders of days before yesterday. */
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
    // What is left lies there until tomorrow.
    const sweeping: Promise<void> = sweep()
      .catch(() => {})
      .finally(() => this.#sweeping.delete(sweeping));
    this.#sweeping.add(sweeping);
  }
}

/** Where the claims of one key lie. The key itself is in no name. */
class KeyPlace {
  readonly #root: StoragePath;
  readonly #hash: string;

  constructor(organizationId: string, key: string) {
    this.#root = [...organizationPath(organizationId), 'idempotency'];
    this.#hash = createHash('sha256').update(key).digest('hex');
  }

  claim(day: number, number: number): StoragePath {
    return [...this.#root, String(day), `${this.#hash}.${number}.json`];
  }

  done(day: number, number: number): StoragePath {
    return [...this.#root, String(day), `${this.#hash}.${number}.done`];
  }
}

function stillBusy(): ListingVideoError {
  return new ListingVideoError(
    'unavailable',
    'an earlier request with this idempotency key is still at work',
    {
      hint: 'Send the same request again in a few seconds.',
    },
  );
}
