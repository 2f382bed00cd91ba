/**
 * Notes when each key was last used, at most once a minute. Requests never wait for it and never fail because of it:
 * writes run one after the other in the background. A write that fails is tried again by a use in a later minute.
 */
import type { AccountDeps } from './account-deps.ts';

/** Shortest time between two writes for one key, by all processes together. */
export const USE_INTERVAL_MS = 60_000;
const MAX_NOTED = 10_000;

export class KeyUses {
  readonly #clock: AccountDeps['clock'];
  readonly #write: (keyId: string) => Promise<void>;
  /** By id of the key: when this process last noted a use. */
  readonly #notedMs = new Map<string, number>();
  readonly #pending = new Set<string>();
  #writing: Promise<void> | null = null;

  /** @param write - Stores that the key is used now, unless {@link isWithinInterval} of the stored use. */
  constructor(clock: AccountDeps['clock'], write: (keyId: string) => Promise<void>) {
    this.#clock = clock;
    this.#write = write;
  }

  note(keyId: string): void {
    const nowMs = this.#clock.nowMs();
    const notedMs = this.#notedMs.get(keyId);
    if (notedMs !== undefined && isWithinInterval(notedMs, nowMs)) return;
    if (this.#notedMs.size >= MAX_NOTED) this.#notedMs.clear();
    this.#notedMs.set(keyId, nowMs);
    this.#pending.add(keyId);
    this.#writing ??= this.#writeAll();
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
}

/** If the clock was set back, `thenMs` lies in the future: it must not stop all writes until then. */
export function isWithinInterval(thenMs: number, nowMs: number): boolean {
  return nowMs >= thenMs && nowMs - thenMs < USE_INTERVAL_MS;
}
