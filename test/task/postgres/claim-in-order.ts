/**
 * A task store whose `claimNext` also works without a queue that dispatches: as a queue that gives out what waits in the
 * order of the query. For the contract of every task store, and for tests of one task after the other.
 */
import type { Database } from '../../../src/task/postgres/database.ts';
import { sql } from '../../../src/task/postgres/sql.ts';
import type { TaskStore } from '../../../src/task/task-store.ts';

export function claimInOrder(store: TaskStore, database: Database): TaskStore {
  return {
    ...store,
    async claimNext(query) {
      if (query.only !== undefined) return store.claimNext(query);
      const ranks = [...(query.turns?.rank ?? [])];
      // One after the other: a lost task can go back among those that wait.
      for (const state of ['RUNNING', 'PENDING']) {
        const found = await database.query<{ id: string }>(
          sql`select id from listing_video.tasks
           left join unnest(${ranks.map(([id]) => id)}::text[], ${ranks.map(([, rank]) => rank)}::float8[])
             as turns (of_organization, rank) on of_organization = organization_id
           where state = ${state}
           order by organization_id is null, coalesce(rank, '-infinity'), queued_at, is_put_back, id`,
        );
        for (const { id } of found) {
          const result = await store.claimNext({ ...query, only: { id } });
          if (result !== null && result.kind !== 'refused') return result;
        }
      }
      return null;
    },
  };
}
