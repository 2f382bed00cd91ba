/**
 * Events that did not reach the queue of a webhook or cannot be read from it, until the worker of this process logs
 * them.
 */
import type { TaskLogger } from '../engine/task-handler.ts';
import type { FullDelivery } from './webhook.ts';

/** What is logged about an event that has no delivery. */
export interface LostEvent {
  readonly message: string;
  readonly facts: Parameters<TaskLogger['warn']>[1];
}

/** A process without a worker never takes them. */
const MAX_KEPT = 1_000;

export class LostEvents {
  #givenUp: FullDelivery[] = [];
  #warnings: LostEvent[] = [];

  /** Keeps a delivery that failed at once, because too many wait. */
  addGivenUp(delivery: FullDelivery): void {
    if (this.#givenUp.length < MAX_KEPT) this.#givenUp.push(delivery);
  }

  addWarning(message: string, facts: LostEvent['facts']): void {
    if (this.#warnings.length < MAX_KEPT) this.#warnings.push({ message, facts });
  }

  /** What was added since the last call. */
  take(): { readonly givenUp: readonly FullDelivery[]; readonly warnings: readonly LostEvent[] } {
    const taken = { givenUp: this.#givenUp, warnings: this.#warnings };
    this.#givenUp = [];
    this.#warnings = [];
    return taken;
  }
}

/** Logs what was added since the last call, and counts the deliveries that failed without an attempt. */
export function reportLost({
  lost,
  logger,
  onAttempt,
}: {
  readonly lost: LostEvents;
  readonly logger: Pick<TaskLogger, 'warn'>;
  readonly onAttempt: (delivery: FullDelivery) => void;
}): void {
  const { givenUp, warnings } = lost.take();
  for (const delivery of givenUp) onAttempt(delivery);
  for (const { message, facts } of warnings) logger.warn(message, facts);
}
