/** Events that did not reach the queue of a webhook, until the worker of this process logs them. */
import type { FullDelivery } from './webhook.ts';

/** An event for a webhook whose document is damaged. */
export interface UnknownReceiver {
  readonly taskId: string;
  /** It names the file. */
  readonly error: unknown;
}

/** A process without a worker never takes them. */
const MAX_KEPT = 1_000;

export class LostEvents {
  #givenUp: FullDelivery[] = [];
  #unknown: UnknownReceiver[] = [];

  /** Keeps a delivery that failed at once, because too many wait. */
  addGivenUp(delivery: FullDelivery): void {
    if (this.#givenUp.length < MAX_KEPT) this.#givenUp.push(delivery);
  }

  addUnknown(receiver: UnknownReceiver): void {
    if (this.#unknown.length < MAX_KEPT) this.#unknown.push(receiver);
  }

  /** What was added since the last call. */
  take(): { readonly givenUp: readonly FullDelivery[]; readonly unknown: readonly UnknownReceiver[] } {
    const taken = { givenUp: this.#givenUp, unknown: this.#unknown };
    this.#givenUp = [];
    this.#unknown = [];
    return taken;
  }
}
