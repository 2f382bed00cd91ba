/**
 * The records of uploads in a database: who has stored what, and which tasks use it.
 *
 * A hold is over when its task has succeeded. A task that failed can be retried, so its uploads stay until it is removed.
 */
import type { UploadName, UploadRecords, UploadUsage } from '../../video/uploads/upload-store.ts';
import type { Database } from './database.ts';

/** What a crash left: an upload that nobody confirms any more, a hold whose task was never stored. */
const ABANDONED = `interval '1 hour'`;
/** Uploads that one sweep statement finds. */
const FOUND_AT_ONCE = 200;

export function createPostgresUploads(database: Database): UploadRecords {
  return {
    async exists() {
      const [row] = await database.query<{ found: boolean }>(
        'select exists (select 1 from listing_video.uploads) as found',
      );
      return row?.found === true;
    },
    reserve({ organizationId, id, sizeBytes, createdMs }, quota) {
      return database.transaction(async (tx) => {
        // Two at once must not both be the last one that is allowed.
        await tx.query(`select pg_advisory_xact_lock(hashtextextended('listing-video uploads ' || $1, 0))`, [
          organizationId,
        ]);
        const [row] = await tx.query<UploadUsage>(
          `select count(*) as files, coalesce(sum(size_bytes), 0)::bigint as bytes
           from listing_video.uploads where organization_id = $1`,
          [organizationId],
        );
        const { files, bytes } = row!;
        if (files + 1 > quota.maxFiles || bytes + sizeBytes > quota.maxBytes) return { files, bytes };
        await tx.query(
          `insert into listing_video.uploads (id, organization_id, size_bytes, created_at) values ($1, $2, $3, $4)`,
          [id, organizationId, sizeBytes, new Date(createdMs)],
        );
        return null;
      });
    },
    async confirm(id) {
      const rows = await database.query(
        'update listing_video.uploads set is_stored = true where id = $1 returning id',
        [id],
      );
      return rows.length === 1;
    },
    async remove(ids) {
      await database.query('delete from listing_video.uploads where id = any($1)', [ids]);
    },
    async findMissing(organizationId, ids, createdAfterMs) {
      const rows = await database.query<{ id: string }>(
        `select id from listing_video.uploads
         where organization_id = $1 and id = any($2) and is_stored and created_at >= $3`,
        [organizationId, ids, new Date(createdAfterMs)],
      );
      const found = new Set(rows.map(({ id }) => id));
      return ids.filter((id) => !found.has(id));
    },
    async hold(organizationId, taskId, ids) {
      await database.query(
        `insert into listing_video.upload_holds (upload_id, task_id)
         select id, $3 from listing_video.uploads where organization_id = $1 and id = any($2)
         on conflict do nothing`,
        [organizationId, ids, taskId],
      );
    },
    async release(organizationId, taskId) {
      await database.query(
        `delete from listing_video.upload_holds using listing_video.uploads
         where task_id = $2 and upload_id = id and organization_id = $1`,
        [organizationId, taskId],
      );
    },
    findRemovable: ({ createdBeforeMs }) =>
      database.query<UploadName>(
        `select id, organization_id as "organizationId" from listing_video.uploads
         where (is_stored and created_at < $1 or not is_stored and created_at < clock_timestamp() - ${ABANDONED})
           and not exists (
             select 1 from listing_video.upload_holds left join listing_video.tasks on tasks.id = task_id
             where upload_id = uploads.id
               and (state <> 'SUCCEEDED' or tasks.id is null and held_at > clock_timestamp() - ${ABANDONED})
           )
         order by created_at, id limit ${FOUND_AT_ONCE}`,
        [new Date(createdBeforeMs)],
      ),
  };
}
