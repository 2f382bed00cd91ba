/** The credits of all organizations in a database: grants, reservations, and what a crash left open. */
import { isGone } from '../../accounts/account-deps.ts';
import { organizationNotFound, reservationEnd, toGrant } from '../../accounts/account-rules.ts';
import type { AccountStore, ReservationKey } from '../../accounts/account-store.ts';
import type { TaskRecord } from '../../task.ts';
import { isTaskId } from '../../task-id.ts';
import { insertInto, sql } from '../sql.ts';
import { releaseCredits, reserveCredits, settleCredits } from './credit-entries.ts';
import type { PostgresAccountDeps } from './postgres-deps.ts';

/** Entries that one statement of `prune` removes, so that it holds its locks for a moment. */
const PRUNED_AT_ONCE = 10_000;

interface OpenEntry extends ReservationKey {
  readonly id: number;
  readonly reservedBy: PostgresAccountDeps['self'];
  readonly createdAt: string;
}

export function postgresCredits(
  deps: PostgresAccountDeps,
  getOrganization: AccountStore['getOrganization'],
): Pick<AccountStore, 'grant' | 'reserve' | 'release' | 'settle' | 'reconcile' | 'prune'> {
  const { database, self: by, audit, now } = deps;
  /** Id of the last entry that `reconcile` checked. */
  let cursor = 0;

  const findTasks = async (ids: readonly string[]) => {
    const found = await database.query<Pick<TaskRecord, 'id' | 'state' | 'retries'>>(
      sql`select id, state, retries from listing_video.tasks where id = any(${ids.filter(isTaskId)}::uuid[])`,
    );
    return new Map(found.map((task) => [task.id, task]));
  };

  return {
    async grant(id, credits, note) {
      await getOrganization(id);
      const grant = toGrant(credits, note);
      const entry = { organizationId: id, kind: 'grant', ...grant, createdAt: now() };
      await database.transaction(async (tx) => {
        await audit(tx, { event: 'credits.granted', organization_id: id, ...grant });
        await tx.query(insertInto('ledger_entries', entry));
        const granted = await tx.query(
          sql`update listing_video.organizations set balance = balance + ${credits}, is_metered = true
           where id = ${id} returning id`,
        );
        if (granted.length === 0) throw organizationNotFound(id);
      });
      return getOrganization(id);
    },
    reserve: (key, credits) =>
      database.transaction((tx) => reserveCredits(tx, key, credits, { by, at: now() })),
    release: async (key) => void (await releaseCredits(database, key)),
    settle: async (key, end) => void (await settleCredits(database, key, end, now())),
    async reconcile({ limit = 1_000 } = {}) {
      const report = { settled: 0, released: 0 };
      const open = await database.query<OpenEntry>(
        sql`select id, organization_id, task_id, retries, reserved_by, created_at from listing_video.ledger_entries
         where state = 'reserved' and id > ${cursor} order by id limit ${limit}`,
      );
      cursor = open.length < limit ? 0 : (open.at(-1)?.id ?? 0);
      const isAbandoned = open.map((entry) => isGone(entry.reservedBy, Date.parse(entry.createdAt), deps));
      const tasks = await findTasks(open.map(({ taskId }) => taskId));
      for (const [place, entry] of open.entries()) {
        const end = reservationEnd(entry.retries, tasks.get(entry.taskId) ?? null, isAbandoned[place]!);
        if (end === null) continue;
        if (end === 'release') {
          if (await releaseCredits(database, entry)) report.released += 1;
        } else if (await settleCredits(database, entry, end, now())) {
          report.settled += 1;
        }
      }
      return report;
    },
    async prune({ olderThanMs }) {
      let removed = 0;
      for (;;) {
        const rows = await database.query(
          sql`with old as (
             select id from listing_video.ledger_entries where ended_at < ${new Date(olderThanMs)}
             order by ended_at limit ${PRUNED_AT_ONCE} for update skip locked
           ),
           gone as (
             delete from listing_video.ledger_entries where id in (select id from old)
             returning organization_id, state, credits
           ),
           summed as (
             insert into listing_video.ledger_entries as opening (organization_id, kind, credits, created_at)
             select organization_id, 'opening', sum(credits), ${now()}::timestamptz from gone where state = 'spent' group by 1
             -- Two servers lock openings in the same order.
             order by 1
             on conflict (organization_id) where kind = 'opening'
             do update set credits = opening.credits + excluded.credits, created_at = excluded.created_at
           )
           select 1 from gone`,
        );
        removed += rows.length;
        if (rows.length < PRUNED_AT_ONCE) return removed;
      }
    },
  };
}
