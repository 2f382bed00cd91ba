/**
 * When each key was last used: a document each, `last-use/<id>.json`, at most a minute old.
 *
 * Requests never wait for it and never fail because of it: writes run one after the other in the background, without a
 * flush to disk. A write that fails is tried again by a use in a later minute.
 */
import { type AccountDeps, stamp } from './account-options.ts';
import type { StoragePath } from './account-storage.ts';

/** Shortest time between two writes for one key, by all processes together. */
const INTERVAL_MS = 60_000;
const MAX_NOTED = 10_000;

export class KeyUses {
  readonly #deps: Pick<AccountDeps, 'storage' | 'clock'>;
  /** By id of the key: when this process last noted a use. */
  readonly #notedMs = new Map<string, number>();
  /** Ids of keys whose use is not written yet. */
  readonly #pending = new Set<string>();
  #writing: Promise<void> | null = null;

  constructor(deps: Pick<AccountDeps, 'storage' | 'clock'>) {
    this.#deps = deps;
  }

  /** Notes that a valid key is used now. */
  note(keyId: string): void {
    const nowMs = this.#deps.clock.nowMs();
    const notedMs = this.#notedMs.get(keyId);
    if (notedMs !== undefined && isWithinInterval(notedMs, nowMs)) return;
    if (this.#notedMs.size >= MAX_NOTED) this.#notedMs.clear();
    this.#notedMs.set(keyId, nowMs);
    this.#pending.add(keyId);
    this.#writing ??= this.#writeAll();
  }

  /** ISO 8601 in UTC; null if the key was never used, or its document is damaged. */
  async lastUsedAt(keyId: string): Promise<string | null> {
    const document = await this.#deps.storage.read(pathOf(keyId)).catch(() => null);
    const { usedAt } = (document ?? {}) as { usedAt?: unknown };
    return typeof usedAt === 'string' && Number.isFinite(Date.parse(usedAt)) ? usedAt : null;
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    for (const keyId of this.#pending) {
      this.#pending.delete(keyId);
      await this.#write(keyId).catch(() => {});
    }
    this.#writing = null;
  }

  async #write(keyId: string): Promise<void> {
    const { storage, clock } = this.#deps;
    const writtenAt = await this.lastUsedAt(keyId);
    // Another server of this data folder can have written a minute that this process did not see.
    if (writtenAt !== null && isWithinInterval(Date.parse(writtenAt), clock.nowMs())) return;
    await storage.replace(pathOf(keyId), { usedAt: stamp(clock) }, { isDurable: false });
  }
}

function pathOf(keyId: string): StoragePath {
  return ['last-use', `${keyId}.json`];
}

/** If the clock was set back, `thenMs` lies in the future: it must not stop all writes until then. */
function isWithinInterval(thenMs: number, nowMs: number): boolean {
  return nowMs >= thenMs && nowMs - thenMs < INTERVAL_MS;
}
