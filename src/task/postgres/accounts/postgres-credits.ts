/** The credits of all organizations in a database. Those of tasks move in the transactions of the tasks. */
import { organizationNotFound, toGrant } from '../../accounts/account-rules.ts';
import type { AccountStore } from '../../accounts/account-store.ts';
import { insertInto, sql } from '../sql.ts';
import type { PostgresAccountDeps } from './postgres-deps.ts';

/** Entries that one statement of `prune` removes, so that it holds its locks for a moment. */
const PRUNED_AT_ONCE = 10_000;

export function postgresCredits(
  { database, audit, now }: PostgresAccountDeps,
  getOrganization: AccountStore['getOrganization'],
): Pick<AccountStore, 'grant' | 'prune'> {
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
