/** The turns of organizations in one server: fewest running tasks first, then least recently served. Pure. */
import type { ClaimTurns } from '../task-store.ts';

/** Bounds the memory for organizations. A forgotten one counts as never served. */
const MAX_REMEMBERED = 10_000;
/** Larger than every number of a turn. */
const RUNNING_WEIGHT = 2 ** 32;

export class OrganizationTurns {
  /** The number of the last turn of each organization. The latest is at the end. */
  readonly #turns = new Map<string, number>();
  readonly #maxRunning: number;
  #turn = 0;

  /** @param maxRunning - Number of running tasks of one organization. */
  constructor(maxRunning: number) {
    this.#maxRunning = maxRunning;
  }

  /** Notes that a task of the organization was claimed. */
  serve(organizationId: string | null): void {
    if (organizationId === null) return;
    this.#turns.delete(organizationId);
    this.#turn += 1;
    this.#turns.set(organizationId, this.#turn);
    const [oldest] = this.#turns.keys();
    if (this.#turns.size > MAX_REMEMBERED && oldest !== undefined) this.#turns.delete(oldest);
  }

  /** The order of the next claim. @param running - The organization of each running task. */
  order(running: readonly (string | null)[]): ClaimTurns {
    const counts = new Map<string, number>();
    for (const id of running) if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1);
    const ids = [...new Set([...this.#turns.keys(), ...counts.keys()])];
    const rankOf = (id: string) => (counts.get(id) ?? 0) * RUNNING_WEIGHT + (this.#turns.get(id) ?? 0);
    return {
      rank: new Map(ids.map((id) => [id, rankOf(id)])),
      full: new Set(ids.filter((id) => (counts.get(id) ?? 0) >= this.#maxRunning)),
    };
  }
}
