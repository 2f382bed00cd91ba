/** The credits of all organizations in a database: grants, reservations, and what a crash left open. */
import { isGone } from '../account/accepted-task.ts';
import type { AccountDeps } from '../account/account-options.ts';
import { stamp } from '../account/account-options.ts';
import { organizationNotFound, toGrant } from '../task/accounts/account-rules.ts';
import type { ReconcileReport, ReservationKey } from '../task/accounts/account-store.ts';
import { isTaskId } from '../task/task-id.ts';
import { releaseCredits, reserveCredits, settleCredits } from '../task/postgres/accounts/credit-entries.ts';
import type { Database } from '../task/postgres/database.ts';
import type { PostgresAudit } from './postgres-audit.ts';

/** Entries that one statement of `prune` removes, so that it holds its locks for a moment. */
const PRUNED_AT_ONCE = 10_000;

type CreditDeps = Pick<AccountDeps, 'clock' | 'self' | 'liveness'> & { readonly database: Database };

interface OpenEntry {
  readonly id: number;
  readonly organization_id: string;
  readonly task_id: string;
  readonly retries: number;
  readonly reserved_by: AccountDeps['self'];
  readonly created_at: Date;
}

interface FoundTask {
  readonly id: string;
  readonly state: string;
  readonly retries: number;
}

export class PostgresCredits {
  readonly #deps: CreditDeps;
  readonly #audit: PostgresAudit;
  /** Id of the last entry that `reconcile` checked. */
  #cursor = 0;

  constructor(deps: CreditDeps, audit: PostgresAudit) {
    this.#deps = deps;
    this.#audit = audit;
  }

  /** @throws `usage`, `organization_not_found`. */
  async grant(organizationId: string, credits: number, note: string | undefined): Promise<void> {
    const grant = toGrant(credits, note);
    await this.#deps.database.transaction(async (tx) => {
      await this.#audit.record(tx, {
        event: 'credits.granted',
        organization_id: organizationId,
        ...grant,
      });
      await tx.query(
        `insert into listing_video.ledger_entries (organization_id, kind, credits, note, created_at)
         values ($1, 'grant', $2, $3, $4)`,
        [organizationId, credits, grant.note ?? null, stamp(this.#deps.clock)],
      );
      const granted = await tx.query(
        `update listing_video.organizations set balance = balance + $2, is_metered = true where id = $1
         returning id`,
        [organizationId, credits],
      );
      if (granted.length === 0) throw organizationNotFound(organizationId);
    });
  }

  /** See `AccountStore.reserve`. */
  reserve(key: ReservationKey, credits: number): Promise<void> {
    const { database, self: by, clock } = this.#deps;
    return database.transaction((tx) => reserveCredits(tx, key, credits, { by, at: stamp(clock) }));
  }

  /** See `AccountStore.release`. */
  async release(key: ReservationKey): Promise<void> {
    await releaseCredits(this.#deps.database, key);
  }

  /** See `AccountStore.settle`. */
  async settle(key: ReservationKey, end: 'spend' | 'refund'): Promise<void> {
    await settleCredits(this.#deps.database, key, end, stamp(this.#deps.clock));
  }

  /** See `AccountStore.reconcile`. */
  async reconcile(limit: number): Promise<ReconcileReport> {
    const { database } = this.#deps;
    const report = { settled: 0, released: 0 };
    const open = await database.query<OpenEntry>(
      `select id, organization_id, task_id, retries, reserved_by, created_at from listing_video.ledger_entries
       where state = 'reserved' and id > $1 order by id limit $2`,
      [this.#cursor, limit],
    );
    this.#cursor = open.length < limit ? 0 : (open.at(-1)?.id ?? 0);
    // Check the processes before the tasks: a missing task of a dead process can no longer appear.
    const abandoned = new Set(
      open.filter(({ reserved_by: by, created_at: at }) => isGone(by, at.getTime(), this.#deps)),
    );
    const tasks = await this.#findTasks(open.map(({ task_id }) => task_id));
    for (const entry of open) {
      const { organization_id: organizationId, task_id: taskId, retries } = entry;
      const end = endOf(entry, tasks.get(taskId), abandoned.has(entry));
      if (end === null) continue;
      const key = { organizationId, taskId, retries };
      if (end === 'release') {
        if (await releaseCredits(database, key)) report.released += 1;
      } else if (await settleCredits(database, key, end, stamp(this.#deps.clock))) {
        report.settled += 1;
      }
    }
    return report;
  }

  /** Replaces entries that ended before `olderThanMs` by their sum. @returns Their number. */
  async prune(olderThanMs: number): Promise<number> {
    let removed = 0;
    for (;;) {
      const rows = await this.#deps.database.query(
        `with old as (
           select id from listing_video.ledger_entries where ended_at < $1 order by ended_at limit ${PRUNED_AT_ONCE}
           for update skip locked
         ),
         gone as (
           delete from listing_video.ledger_entries where id in (select id from old)
           returning organization_id, state, credits
         ),
         summed as (
           insert into listing_video.ledger_entries as opening (organization_id, kind, credits, created_at)
           select organization_id, 'opening', sum(credits), $2 from gone where state = 'spent' group by 1
           -- Two servers lock openings in the same order.
           order by 1
           on conflict (organization_id) where kind = 'opening'
           do update set credits = opening.credits + excluded.credits, created_at = excluded.created_at
         )
         select 1 from gone`,
        [new Date(olderThanMs), stamp(this.#deps.clock)],
      );
      removed += rows.length;
      if (rows.length < PRUNED_AT_ONCE) return removed;
    }
  }

  async #findTasks(ids: readonly string[]): Promise<ReadonlyMap<string, FoundTask>> {
    const found = await this.#deps.database.query<FoundTask>(
      'select id, state, retries from listing_video.tasks where id = any($1::uuid[])',
      [ids.filter(isTaskId)],
    );
    return new Map(found.map((task) => [task.id, task]));
  }
}

/** How to end an open reservation; null if it must stay open for now. */
function endOf(
  { retries }: OpenEntry,
  task: FoundTask | undefined,
  isAbandoned: boolean,
): 'release' | 'refund' | 'spend' | null {
  if (task === undefined || task.retries < retries) return isAbandoned ? 'release' : null;
  // Only a FAILED task is retried, so an earlier retry has failed.
  if (task.retries > retries || task.state === 'FAILED') return 'refund';
  return task.state === 'SUCCEEDED' ? 'spend' : null;
}
