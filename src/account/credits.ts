/** The credits of all organizations: grants, and one reservation per task and retry, in one ledger per organization. */
import { randomUUID } from 'node:crypto';
import { nullOn } from '../platform/errors.ts';
import { findTask, isGone } from './accepted-task.ts';
import { type AccountDeps, stamp } from './account-options.ts';
import { insufficientBalance, toGrant } from '../task/accounts/account-rules.ts';
import type { ReconcileReport, ReservationKey } from '../task/accounts/account-store.ts';
import type { AuditLog } from './audit-log.ts';
import { Ledger } from './ledger.ts';
import { type LedgerState, type OpenReservation, reservationName } from './ledger-state.ts';
import { organizationPath } from './organizations.ts';

export class Credits {
  readonly #deps: AccountDeps;
  readonly #audit: AuditLog;
  readonly #ledgers = new Map<string, Ledger>();
  /** Reservations of this process whose write failed: their tasks were refused, but the line can be in the ledger. */
  readonly #unsure = new Set<string>();
  /** Where the next `reconcile` begins. */
  #cursor: { readonly organizationId: string; readonly name: string } | null = null;

  constructor(deps: AccountDeps, audit: AuditLog) {
    this.#deps = deps;
    this.#audit = audit;
  }

  /** The balance, and whether the organization is metered. */
  async balanceOf(organizationId: string): Promise<{ balance: number; isMetered: boolean }> {
    const { balance, isMetered } = await this.#ledger(organizationId).look();
    return { balance, isMetered };
  }

  /** @throws `usage`. */
  async grant(organizationId: string, credits: number, note: string | undefined): Promise<void> {
    const grant = toGrant(credits, note);
    const ledger = this.#ledger(organizationId);
    const change = { event: 'credits.granted', organization_id: organizationId, ...grant } as const;
    await this.#audit.record(change, () =>
      ledger.append({ kind: 'grant', entry: randomUUID(), at: stamp(this.#deps.clock), ...grant }),
    );
  }

  /** See `AccountStore.reserve`. */
  async reserve(key: ReservationKey, credits: number): Promise<void> {
    const ledger = this.#ledger(key.organizationId);
    this.#unsure.delete(`${key.organizationId}/${reservationName(toTask(key))}`);
    for (;;) {
      const { settlements, isMetered } = await ledger.look();
      // The ledger forgets old settled reservations, the task store does not. Read the ledger first, then the task.
      if (!isMetered || (await this.#isAccepted(key))) return;
      const { outcome, balance } = await this.#append(ledger, key, {
        kind: 'reserve',
        credits,
        seen: settlements,
        by: this.#deps.self,
      });
      if (outcome === 'insufficient') throw insufficientBalance(balance, credits);
      if (outcome !== 'stale') return;
    }
  }

  /** See `AccountStore.release`. */
  async release(key: ReservationKey): Promise<void> {
    const ledger = this.#ledger(key.organizationId);
    if (!(await ledger.look()).open.has(reservationName(toTask(key)))) return;
    // The store can have created the task before it failed. Then the task runs, and its credits stay reserved.
    if (await this.#isAccepted(key)) return;
    await this.#append(ledger, key, { kind: 'release' });
  }

  /** See `AccountStore.settle`. */
  async settle(key: ReservationKey, end: 'spend' | 'refund'): Promise<void> {
    await this.#append(this.#ledger(key.organizationId), key, { kind: end });
  }

  /** See `AccountStore.reconcile`. */
  async reconcile(organizationIds: readonly string[], limit: number): Promise<ReconcileReport> {
    const report = { settled: 0, released: 0 };
    let looked = 0;
    const start = Math.max(0, organizationIds.indexOf(this.#cursor?.organizationId ?? ''));
    for (const organizationId of organizationIds.slice(start)) {
      const state = await this.#lookUnlessDamaged(organizationId);
      if (state === null) continue;
      const { open } = state;
      let isPast = this.#cursor?.organizationId !== organizationId || !open.has(this.#cursor.name);
      for (const [name, reservation] of [...open]) {
        const isDue = isPast;
        if (name === this.#cursor?.name) isPast = true;
        if (!isDue) continue;
        if (looked === limit) return report;
        looked++;
        this.#cursor = { organizationId, name };
        const end = await this.#endOf(organizationId, reservation);
        if (end === null) continue;
        const { task: taskId, retries } = reservation;
        const key = { organizationId, taskId, retries };
        const { outcome } = await this.#append(this.#ledger(organizationId), key, { kind: end });
        this.#unsure.delete(`${organizationId}/${name}`);
        if (outcome !== 'counted') continue;
        report[end === 'release' ? 'released' : 'settled']++;
      }
    }
    this.#cursor = null;
    return report;
  }

  /** See `AccountStore.prune`. */
  async prune(organizationIds: readonly string[], olderThanMs: number): Promise<number> {
    let removed = 0;
    for (const id of organizationIds) {
      if ((await this.#lookUnlessDamaged(id)) === null) continue;
      removed += await this.#ledger(id).removeClosed(olderThanMs);
    }
    return removed;
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    await Promise.all([...this.#ledgers.values()].map((ledger) => ledger.idle()));
  }

  /** Null if the ledger is damaged: it must not block the ledgers of other organizations. */
  #lookUnlessDamaged(organizationId: string): Promise<LedgerState | null> {
    return this.#ledger(organizationId).look().catch(nullOn('store_corrupt'));
  }

  /** How to end an open reservation; null if it must stay open for now. */
  async #endOf(
    organizationId: string,
    { task: id, retries, by, at }: OpenReservation,
  ): Promise<'release' | 'refund' | 'spend' | null> {
    // Check the process before the task: a missing task of a dead process can no longer appear.
    const isAbandoned =
      this.#unsure.has(`${organizationId}/${reservationName({ task: id, retries })}`) ||
      isGone(by, Date.parse(at), this.#deps);
    const task = await findTask(this.#deps.tasks, id).catch(() => undefined);
    // The state of an unreadable task is unknown, so its reservation stays open.
    if (task === undefined) return null;
    if (task === null || task.retries < retries) return isAbandoned ? 'release' : null;
    // Only a FAILED task is retried, so an earlier retry has failed.
    if (task.retries > retries || task.state === 'FAILED') return 'refund';
    return task.state === 'SUCCEEDED' ? 'spend' : null;
  }

  async #isAccepted({ taskId, retries }: ReservationKey): Promise<boolean> {
    const task = await findTask(this.#deps.tasks, taskId);
    return task !== null && task.retries >= retries;
  }

  async #append(
    ledger: Ledger,
    key: ReservationKey,
    what:
      | { kind: 'reserve'; credits: number; seen: number; by: AccountDeps['self'] }
      | { kind: 'release' | 'refund' | 'spend' },
  ): ReturnType<Ledger['append']> {
    const task = toTask(key);
    try {
      return await ledger.append({ entry: randomUUID(), at: stamp(this.#deps.clock), ...task, ...what });
    } catch (error) {
      if (what.kind === 'reserve') this.#unsure.add(`${key.organizationId}/${reservationName(task)}`);
      throw error;
    }
  }

  #ledger(organizationId: string): Ledger {
    const known = this.#ledgers.get(organizationId);
    if (known !== undefined) return known;
    const ledger = new Ledger({ ...this.#deps, folder: organizationPath(organizationId) });
    this.#ledgers.set(organizationId, ledger);
    return ledger;
  }
}

function toTask({ taskId, retries }: ReservationKey): { task: string; retries: number } {
  return { task: taskId, retries };
}
