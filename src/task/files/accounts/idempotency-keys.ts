/**
 * Idempotency keys: for 24 hours the same key means the same task.
 *
 *     organizations/<id>/idempotency/<day>/<sha256 of the key>.<n>.json   claim: owner process, task id, body hash
 *     organizations/<id>/idempotency/<day>/<sha256 of the key>.<n>.done   exists once the task exists
 *
 * The claim stores the task's id before the task is created. If the owner of a claim is dead, the next request looks
 * for the task: an existing task is the answer; otherwise claim n + 1 is free. While the owner lives, others wait.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { ProcessIdentity } from '../../../platform/disk/process-identity.ts';
import { nullOn } from '../../../platform/errors.ts';
import { findTask, isGone } from '../../accounts/account-deps.ts';
import { isOrganizationId, organizationNotFound } from '../../accounts/account-rules.ts';
import type { EarlierRequest, IdempotencyClaim } from '../../accounts/account-store.ts';
import { claimInTime, KEPT_MS as DAY_MS, PATIENCE_MS } from '../../accounts/claim-in-time.ts';
import type { FileDeps } from './file-deps.ts';

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

interface FoundClaim {
  readonly number: number;
  /** Null if it is damaged: then it has no effect. */
  readonly claim: ClaimDocument | null;
  /** Exists once the task exists. */
  readonly mark: string;
}

/** What a claim means for a request: an answer, a wait, or nothing because it is void. */
type ClaimCheck = IdempotencyClaim | 'wait' | 'void';

export class IdempotencyKeys {
  readonly #deps: FileDeps;
  readonly #sweptDays = new Map<string, number>();
  readonly #sweeping = new Set<Promise<void>>();

  constructor(deps: FileDeps) {
    this.#deps = deps;
  }

  /** See `AccountStore.beginIdempotent`. */
  async begin(organizationId: string, key: string, bodyHash: string): Promise<IdempotencyClaim> {
    const { clock } = this.#deps;
    const root = this.#rootOf(organizationId);
    // Paths contain the hash of the key, never the key.
    const keyHash = createHash('sha256').update(key).digest('hex');
    this.#sweep(root);
    return claimInTime(clock, POLL_MS, async () => {
      const result = await this.#attempt((day) => join(root, String(day), keyHash), bodyHash);
      return result === 'void' ? 'again' : result;
    });
  }

  /** The claims in force of an organization: those of today and yesterday whose task was made. */
  async export(organizationId: string): Promise<ExportedClaim[]> {
    const { files, clock } = this.#deps;
    const today = Math.floor(clock.nowMs() / DAY_MS);
    const claims = new Map<string, ExportedClaim>();
    for (const day of [today - 1, today]) {
      const folder = join(this.#rootOf(organizationId), String(day));
      for (const name of await files.names(folder)) {
        const [, place = '', keyHash = ''] = /^(([0-9a-f]{64})\.[1-9][0-9]*)\.done$/.exec(name) ?? [];
        const claim = place === '' ? null : ((await this.#read(join(folder, `${place}.json`))) ?? null);
        const isInForce = claim !== null && clock.nowMs() - claim.atMs < DAY_MS;
        // Of several claims of one key, the latest counts.
        if (isInForce && !(claim.atMs < (claims.get(keyHash)?.atMs ?? 0)))
          claims.set(keyHash, { ...claim, keyHash });
      }
    }
    return [...claims.values()];
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    await Promise.all(this.#sweeping);
  }

  /**
   * Returns `void` if another request created its claim first: the next attempt finds that claim.
   *
   * @param placeOf - Start of the paths of the key's claims of a day.
   */
  async #attempt(placeOf: (day: number) => string, bodyHash: string): Promise<ClaimCheck> {
    const { files, clock, self } = this.#deps;
    const atMs = clock.nowMs();
    const day = Math.floor(atMs / DAY_MS);
    const latest = await Promise.all([day - 1, day].map((each) => this.#latest(placeOf(each))));
    for (const found of latest) {
      const result = await this.#check(found, bodyHash);
      if (result !== 'void') return result;
    }
    const place = `${placeOf(day)}.${(latest[1]?.number ?? 0) + 1}`;
    const claim: ClaimDocument = { bodyHash, taskId: await this.#deps.newTaskId(), owner: self, atMs };
    if (!(await files.create(`${place}.json`, claim))) return 'void';
    // Around midnight another process can claim the same key in the folder of the day before or after.
    for (const other of [day - 1, day + 1]) {
      if ((await this.#check(await this.#latest(placeOf(other)), bodyHash)) === 'void') continue;
      await files.remove(`${place}.json`);
      return 'wait';
    }
    return this.#newClaim(place, claim);
  }

  async #check(found: FoundClaim | null, bodyHash: string): Promise<ClaimCheck> {
    if (found?.claim == null) return 'void';
    const { claim, mark } = found;
    const { files, clock, tasks } = this.#deps;
    if (clock.nowMs() - claim.atMs >= DAY_MS) return 'void';
    const isSame = claim.bodyHash === bodyHash;
    const answer: IdempotencyClaim = isSame ? { kind: 'replay', taskId: claim.taskId } : { kind: 'reused' };
    // Check the process before the task: a missing task of a dead process can no longer appear.
    const isAbandoned = isGone(claim.owner, claim.atMs, this.#deps);
    if (await files.has(mark)) return answer;
    // After this time the task can exist without its mark: look for the task itself.
    if (isAbandoned || clock.nowMs() - claim.atMs > PATIENCE_MS) {
      if ((await findTask(tasks, claim.taskId)) !== null) return answer;
      if (isAbandoned) return 'void';
    }
    return isSame ? 'wait' : answer;
  }

  #newClaim(place: string, { taskId }: ClaimDocument): IdempotencyClaim {
    const { files, tasks } = this.#deps;
    let isEnded = false;
    const commit = async (): Promise<void> => {
      if (isEnded) return;
      isEnded = true;
      // Without the mark, later requests find the task itself after a wait.
      await files.create(`${place}.done`, {}, false).catch(() => {});
    };
    const abort = async (): Promise<EarlierRequest | null> => {
      if (isEnded) return null;
      // The store can fail after it has created the task.
      if ((await findTask(tasks, taskId)) !== null) {
        await commit();
        return { kind: 'replay', taskId };
      }
      isEnded = true;
      await files.remove(`${place}.json`);
      return null;
    };
    return { kind: 'new', taskId, commit, abort };
  }

  async #latest(place: string): Promise<FoundClaim | null> {
    let latest: FoundClaim | null = null;
    for (let number = 1; ; number++) {
      const claim = await this.#read(`${place}.${number}.json`);
      if (claim === undefined) return latest;
      latest = { number, claim, mark: `${place}.${number}.done` };
    }
  }

  /** Undefined if it does not exist, null if it is damaged. */
  async #read(path: string): Promise<ClaimDocument | null | undefined> {
    const document = await this.#deps.files
      .read(path)
      .then((found) => found ?? undefined, nullOn('store_corrupt'));
    if (document == null) return document;
    const { bodyHash, taskId, owner, atMs } = document as Partial<ClaimDocument>;
    const isWhole = typeof bodyHash === 'string' && typeof taskId === 'string' && typeof atMs === 'number';
    return isWhole && typeof owner?.pid === 'number' ? { bodyHash, taskId, owner, atMs } : null;
  }

  /** Removes the folders of days before yesterday, once a day. */
  #sweep(root: string): void {
    const today = Math.floor(this.#deps.clock.nowMs() / DAY_MS);
    if (this.#sweptDays.get(root) === today) return;
    this.#sweptDays.set(root, today);
    const { files } = this.#deps;
    const sweep = async (): Promise<void> => {
      for (const name of await files.names(root)) {
        if (/^[0-9]+$/.test(name) && Number(name) < today - 1) await files.remove(join(root, name));
      }
    };
    // The sweep of the next day removes the rest.
    const sweeping: Promise<void> = sweep()
      .catch(() => {})
      .finally(() => this.#sweeping.delete(sweeping));
    this.#sweeping.add(sweeping);
  }

  #rootOf(organizationId: string): string {
    if (!isOrganizationId(organizationId)) throw organizationNotFound(organizationId);
    return this.#deps.files.at('accounts', 'organizations', organizationId, 'idempotency');
  }
}
