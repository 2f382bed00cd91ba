/** Who may in with a key, over the keys of any store. */
import { type AccountDeps, isRecent } from './account-deps.ts';
import type { Caller, ExpiredKey } from './account-store.ts';
import { keyIdOf, type StoredApiKey, verifyKey } from './api-key.ts';
import { KeyUses } from './key-uses.ts';

export interface FoundKeys {
  /** The key with this id, as it was at most half a second ago. */
  find(id: string): Promise<StoredApiKey | null>;
  /** A key was made, even if all keys are lost now. */
  areRequired(): Promise<boolean>;
  /** Stores that the key is used now. */
  writeUse(id: string): Promise<void>;
}

export class KeyGate {
  readonly #clock: AccountDeps['clock'];
  readonly #keys: FoundKeys;
  readonly #uses: KeyUses;
  #hasKeys = false;
  #noKeysMs = Number.NEGATIVE_INFINITY;

  constructor(clock: AccountDeps['clock'], keys: FoundKeys) {
    this.#clock = clock;
    this.#keys = keys;
    this.#uses = new KeyUses(clock, (id) => keys.writeUse(id));
  }

  /** This process made a key. */
  requireKeys(): void {
    this.#hasKeys = true;
  }

  /** True once a key was made. A true result is final. */
  async hasEverHadKeys(): Promise<boolean> {
    const nowMs = this.#clock.nowMs();
    if (this.#hasKeys || isRecent(this.#noKeysMs, nowMs)) return this.#hasKeys;
    this.#hasKeys = await this.#keys.areRequired();
    if (!this.#hasKeys) this.#noKeysMs = nowMs;
    return this.#hasKeys;
  }

  /** See `AccountStore.authenticate`. */
  async authenticate(presented: string): Promise<Caller | ExpiredKey | null> {
    const id = keyIdOf(presented);
    if (id === null) return null;
    const caller = verifyKey(presented, await this.#keys.find(id), this.#clock.nowMs());
    if (caller !== null && 'keyId' in caller) this.#uses.note(id);
    return caller;
  }

  /** Resolves when nothing is under way. */
  idle(): Promise<void> {
    return this.#uses.idle();
  }
}
