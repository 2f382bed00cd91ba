/** The credits of all organizations in a database: grants, reservations, and what a crash left open. */
import { isGone } from '../../accounts/account-deps.ts';
import { organizationNotFound, toGrant } from '../../accounts/account-rules.ts';
import type { AccountStore, ReservationKey } from '../../accounts/account-store.ts';
import { isTaskId } from '../../task-id.ts';
import { insertInto, sql } from '../sql.ts';
import { releaseCredits, reserveCredits, settleCredits } from './credit-entries.ts';
import type { PostgresAccountDeps } from './postgres-deps.ts';

/** Entries that one statement of `prune` removes, so that it holds its locks for a moment. */
const PRUNED_AT_ONCE = 10_000;

interface OpenEntry extends ReservationKey {
  readonly id: number;
  readonly by: PostgresAccountDeps['self'];
  readonly at: Date;
}

interface FoundTask {
  readonly id: string;
  readonly state: string;
  readonly retries: number;
}

export function postgresCredits(
  deps: PostgresAccountDeps,
  getOrganization: AccountStore['getOrganization'],
): Pick<AccountStore, 'grant' | 'reserve' | 'release' | 'settle' | 'reconcile' | 'prune'> {
  const { database, self: by, audit, now } = deps;
  /** Id of the last entry that `reconcile` checked. */
  let cursor = 0;

  const findTasks = async (ids: readonly string[]): Promise<ReadonlyMap<string, FoundTask>> => {
    const found = await database.query<FoundTask>(
      sql`select id, state, retries from listing_video.tasks where id = any(${ids.filter(isTaskId)}::uuid[])`,
    );
    return new Map(found.map((task) => [task.id, task]));
  };

  return {
    async grant(id, credits, note) {
      await getOrganization(id);
      const grant = toGrant(credits, note);
      const entry = {
        organization_id: id,
        kind: 'grant',
        credits,
        note: grant.note ?? null,
        created_at: now(),
      };
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
        sql`select id, organization_id as "organizationId", task_id as "taskId", retries, reserved_by as by, created_at as at
         from listing_video.ledger_entries where state = 'reserved' and id > ${cursor} order by id limit ${limit}`,
      );
      cursor = open.length < limit ? 0 : (open.at(-1)?.id ?? 0);
      // Check the processes before the tasks: a missing task of a dead process can no longer appear.
      const abandoned = new Set(open.filter((entry) => isGone(entry.by, entry.at.getTime(), deps)));
      const tasks = await findTasks(open.map(({ taskId }) => taskId));
      for (const entry of open) {
        const end = endOf(entry, tasks.get(entry.taskId), abandoned.has(entry));
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

/** How to end an open reservation; null if it must stay open for now. */
function endOf(
  { retries }: ReservationKey,
  task: FoundTask | undefined,
  isAbandoned: boolean,
): 'release' | 'refund' | 'spend' | null {
  if (task === undefined || task.retries < retries) return isAbandoned ? 'release' : null;
  // Only a FAILED task is retried, so an earlier retry has failed.
  if (task.retries > retries || task.state === 'FAILED') return 'refund';
  return task.state === 'SUCCEEDED' ? 'spend' : null;
}
