/**
 * The claim of an attempt: of its task or batch, then the one that replaces it when the task is divided or finished.
 */
import type { ClaimKey, ClaimStatus } from '../task-store.ts';

export class AttemptClaim {
  #key: ClaimKey;
  #isChanging = false;

  constructor(key: ClaimKey) {
    this.#key = key;
  }

  get key(): ClaimKey {
    return this.#key;
  }

  /**
   * Takes the claim that `change` returns; null keeps the one that is.
   *
   * @returns True if there is a new one. @throws What `change` throws.
   */
  async change(change: (key: ClaimKey) => Promise<ClaimKey | null>): Promise<boolean> {
    this.#isChanging = true;
    try {
      const next = await change(this.#key);
      if (next !== null) this.#key = next;
      return next !== null;
    } finally {
      this.#isChanging = false;
    }
  }

  /** Asks about the claim. If it is or was replaced meanwhile, the answer says nothing: it counts as held. */
  async ask(question: (key: ClaimKey) => Promise<ClaimStatus>): Promise<ClaimStatus> {
    if (this.#isChanging) return 'owned';
    const asked = this.#key;
    const status = await question(asked);
    return this.#isChanging || this.#key !== asked ? 'owned' : status;
  }
}
