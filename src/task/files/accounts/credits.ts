/** The credits of all organizations: grants, and one reservation per task and retry. */
import { randomBytes } from 'node:crypto';
import type { ProcessIdentity } from '../../../platform/disk/process-identity.ts';
import { nullOn } from '../../../platform/errors.ts';
import { findTask, isGone, stamp } from '../../accounts/account-deps.ts';
import {
  insufficientBalance,
  type ReservationEnd,
  reservationEnd,
  toGrant,
} from '../../accounts/account-rules.ts';
import type { ReconcileReport, ReservationKey } from '../../accounts/account-store.ts';
import type { AuditLog } from './audit-log.ts';
import type { FileDeps } from './file-deps.ts';
import { type OpenReservation, type OrganizationDocument, reservationName } from './organization-document.ts';
import type { Organizations } from './organizations.ts';

export class Credits {
  readonly #deps: FileDeps;
  readonly #organizations: Organizations;
  readonly #audit: AuditLog;
  /** The name of this process in documents. */
  readonly #process = randomBytes(8).toString('hex');
  /** Organizations that were metered when this process last read them. */
  readonly #metered = new Set<string>();
  /** Reservations of this process whose write failed: their tasks were refused, but the document can have them. */
  readonly #unsure = new Set<string>();
  /** The last reservation that `reconcile` looked at. */
  #cursor: { readonly organizationId: string; readonly name: string } | null = null;

  constructor(deps: FileDeps, organizations: Organizations, audit: AuditLog) {
    this.#deps = deps;
    this.#organizations = organizations;
    this.#audit = audit;
  }

  /** @throws `usage`. */
  async grant(organizationId: string, credits: number, note: string | undefined): Promise<void> {
    const grant = toGrant(credits, note);
    const change = { event: 'credits.granted', organization_id: organizationId, ...grant } as const;
    await this.#audit.record(change, () =>
      this.#organizations.change(organizationId, (document) => {
        document.balance += credits;
        document.isMetered = true;
      }),
    );
  }

  /** See `CreditReservations.reserve`. */
  async reserve(key: ReservationKey, credits: number): Promise<void> {
    const { organizationId, taskId: task, retries } = key;
    const name = nameOf(key);
    this.#unsure.delete(`${organizationId}/${name}`);
    if (!(await this.#isMetered(organizationId))) return;
    const { self, clock } = this.#deps;
    const by = this.#process;
    let isRefused = false;
    const edit = async (document: OrganizationDocument): Promise<void> => {
      // The document forgets ended reservations, the task store does not.
      if (!document.isMetered || (await this.#isAccepted(key)) || document.open[name] !== undefined) return;
      isRefused = document.balance < credits;
      if (isRefused) throw insufficientBalance(document.balance, credits);
      document.balance -= credits;
      document.processes[by] = self;
      document.open[name] = { task, retries, credits, by, at: stamp(clock) };
    };
    await this.#organizations.change(organizationId, edit).catch((error: unknown) => {
      if (!isRefused) this.#unsure.add(`${organizationId}/${name}`);
      throw error;
    });
  }

  /** See `CreditReservations.release`. */
  async release(key: ReservationKey): Promise<void> {
    if (!(await this.#isMetered(key.organizationId))) return;
    // The store can have created the task before it failed. Then the task runs, and its credits stay reserved.
    if (!(await this.#isAccepted(key))) await this.#end(key, 'release');
  }

  /** See `CreditReservations.settle`. */
  async settle(key: ReservationKey, end: 'spend' | 'refund'): Promise<void> {
    if (await this.#isMetered(key.organizationId)) await this.#end(key, end);
  }

  /** See `CreditReservations.reconcile`. */
  async reconcile(limit: number): Promise<ReconcileReport> {
    const report = { settled: 0, released: 0 };
    let looked = 0;
    const ids = await this.#organizations.ids();
    const start = Math.max(0, ids.indexOf(this.#cursor?.organizationId ?? ''));
    for (const organizationId of ids.slice(start)) {
      // A damaged document must not block the credits of other organizations.
      const document = await this.#organizations.find(organizationId).catch(nullOn('store_corrupt'));
      const open = Object.entries(document?.open ?? {});
      const last = open.findIndex(([name]) => name === this.#cursor?.name);
      const due = open.slice(this.#cursor?.organizationId === organizationId ? last + 1 : 0);
      for (const [name, reservation] of due) {
        if (looked === limit) return report;
        looked++;
        this.#cursor = { organizationId, name };
        const end = await this.#endOf(organizationId, reservation, document?.processes[reservation.by]);
        if (end === null) continue;
        const { task: taskId, retries } = reservation;
        const isEnded = await this.#end({ organizationId, taskId, retries }, end);
        this.#unsure.delete(`${organizationId}/${name}`);
        if (isEnded) report[end === 'release' ? 'released' : 'settled']++;
      }
    }
    this.#cursor = null;
    return report;
  }

  /** How to end an open reservation; null if it must stay open for now. */
  async #endOf(
    organizationId: string,
    { task: id, retries, at }: OpenReservation,
    by: ProcessIdentity | undefined,
  ): Promise<ReservationEnd | null> {
    const isAbandoned =
      this.#unsure.has(`${organizationId}/${reservationName({ task: id, retries })}`) ||
      isGone(by, Date.parse(at), this.#deps);
    const task = await findTask(this.#deps.tasks, id).catch(() => undefined);
    // The state of an unreadable task is unknown, so its reservation stays open.
    return task === undefined ? null : reservationEnd(retries, task, isAbandoned);
  }

  async #isAccepted({ taskId, retries }: ReservationKey): Promise<boolean> {
    const task = await findTask(this.#deps.tasks, taskId);
    return task !== null && task.retries >= retries;
  }

  /** False only for an organization that never had a reservation: all other documents are read under the lock. */
  async #isMetered(organizationId: string): Promise<boolean> {
    if (this.#metered.has(organizationId)) return true;
    const document = await this.#organizations.find(organizationId);
    if (document?.isMetered) this.#metered.add(organizationId);
    return document?.isMetered ?? false;
  }

  /** False if it has ended already. */
  #end(key: ReservationKey, end: ReservationEnd): Promise<boolean> {
    const name = nameOf(key);
    return this.#organizations.change(key.organizationId, (document) => {
      const reservation = document.open[name];
      if (reservation === undefined) return false;
      delete document.open[name];
      const isLast = Object.values(document.open).every(({ by }) => by !== reservation.by);
      if (isLast) delete document.processes[reservation.by];
      if (end !== 'spend') document.balance += reservation.credits;
      return true;
    });
  }
}

function nameOf({ taskId, retries }: ReservationKey): string {
  return reservationName({ task: taskId, retries });
}
