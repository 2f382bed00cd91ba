/**
 * The right to send deliveries: one process of a data folder has it at a time, so that none is sent twice at once.
 *
 *     webhooks/sender/<k>.json    the process, and the time of its last heartbeat
 *
 * The highest number counts. A process takes the right from one that is dead, or that is silent for the lease, by creating
 * the next number: of all that try, one succeeds.
 */
import { isAside } from '../../platform/disk/atomic-write.ts';
import type { ProcessIdentity } from '../../platform/disk/process-identity.ts';
import { nullOn } from '../../platform/errors.ts';
import type { AccountDeps } from '../account-options.ts';
import type { StoragePath } from '../account-storage.ts';

const LEASE_MS = 30_000;
const HEARTBEAT_MS = 5_000;
/** An attempt takes 10 seconds at most and is not begun later than this, so it ends within the lease. */
const LAST_START_MS = 15_000;
const FOLDER = ['webhooks', 'sender'];

interface SenderDocument {
  /** Null: the process has given the right back. */
  readonly owner: ProcessIdentity | null;
  readonly heartbeatMs: number;
}

export class SenderLease {
  readonly #deps: Pick<AccountDeps, 'homeStorage' | 'clock' | 'self' | 'liveness'>;
  /** Number of our document; null without the right. */
  #own: number | null = null;
  #heartbeatMs = Number.NEGATIVE_INFINITY;

  constructor(deps: Pick<AccountDeps, 'homeStorage' | 'clock' | 'self' | 'liveness'>) {
    this.#deps = deps;
  }

  /** Takes or renews the right. False if another process has it. */
  async acquire(): Promise<boolean> {
    if (this.#own !== null) {
      if (this.#age() < HEARTBEAT_MS) return true;
      if ((await this.#highest()) === this.#own) return this.#write(this.#own);
      this.#own = null;
    }
    const highest = await this.#highest();
    if (highest > 0 && !(await this.#isFree(highest))) return false;
    const { homeStorage, clock, self } = this.#deps;
    const nowMs = clock.nowMs();
    const next = highest + 1;
    if (!(await homeStorage.create(pathOf(next), { owner: self, heartbeatMs: nowMs }))) return false;
    // A look into the folder can miss a name that appears meanwhile.
    if ((await this.#highest()) !== next) return false;
    this.#own = next;
    this.#heartbeatMs = nowMs;
    for (const number of await this.#numbers()) if (number < next) await homeStorage.remove(pathOf(number));
    // What a dead process left half written. The next heartbeat of a live one is written again.
    const asides = (await homeStorage.names(FOLDER)).filter(isAside);
    for (const name of asides) await homeStorage.remove([...FOLDER, name]);
    return true;
  }

  /** True while an attempt can begin: it then ends before another process can have the right. */
  get canSend(): boolean {
    return this.#own !== null && this.#age() < LAST_START_MS;
  }

  /** Lets another process have the right at once. */
  async release(): Promise<void> {
    const own = this.#own;
    this.#own = null;
    if (own === null) return;
    await this.#deps.homeStorage.replace(pathOf(own), { owner: null, heartbeatMs: 0 }, { isDurable: false });
  }

  async #write(number: number): Promise<true> {
    const { homeStorage, clock, self } = this.#deps;
    const heartbeatMs = clock.nowMs();
    await homeStorage.replace(pathOf(number), { owner: self, heartbeatMs }, { isDurable: false });
    this.#heartbeatMs = heartbeatMs;
    return true;
  }

  async #isFree(number: number): Promise<boolean> {
    const { homeStorage, clock, liveness } = this.#deps;
    const document = await homeStorage.read(pathOf(number)).catch(nullOn('store_corrupt'));
    const { owner, heartbeatMs }: Partial<SenderDocument> = document ?? {};
    if (typeof owner?.pid !== 'number' || typeof owner.boot !== 'string') return true;
    if (liveness(owner) === 'dead') return true;
    // The distance, because the clock can be set back.
    return !(Math.abs(clock.nowMs() - Number(heartbeatMs)) <= LEASE_MS);
  }

  #age(): number {
    return Math.abs(this.#deps.clock.nowMs() - this.#heartbeatMs);
  }

  async #highest(): Promise<number> {
    return Math.max(0, ...(await this.#numbers()));
  }

  async #numbers(): Promise<number[]> {
    const names = await this.#deps.homeStorage.names(FOLDER);
    return names.filter((name) => /^[0-9]{1,9}\.json$/.test(name)).map((name) => Number.parseInt(name, 10));
  }
}

function pathOf(number: number): StoragePath {
  return [...FOLDER, `${number}.json`];
}
