/**
 * The records of uploads in a database: who has stored what, and which tasks use it.
 *
 * A hold is over when its task has succeeded. A task that failed can be retried, so its uploads stay until it is
 * removed.
 */
import type { UploadName, UploadRecords, UploadUsage } from '../../video/uploads/upload-store.ts';
import type { Database } from './database.ts';
import { insertInto, sql } from './sql.ts';

/** What a crash left: an upload that nobody confirms any more, a hold whose task was never stored. */
const ABANDONED = sql`clock_timestamp() - interval '1 hour'`;
/** Uploads that one sweep statement finds. */
const FOUND_AT_ONCE = 200;

export function createPostgresUploads(database: Database): UploadRecords {
  return {
    async exists() {
      const [row] = await database.query<{ found: boolean }>(
        sql`select exists (select 1 from listing_video.uploads) as found`,
      );
      return row?.found === true;
    },
    reserve({ organizationId, id, sizeBytes, createdMs }, quota) {
      return database.transaction(async (tx) => {
        // Two at once must not both be the last one that is allowed.
        const lock = `listing-video uploads ${organizationId}`;
        await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`);
        const [row] = await tx.query<UploadUsage>(
          sql`select count(*) as files, coalesce(sum(size_bytes), 0)::bigint as bytes
           from listing_video.uploads where organization_id = ${organizationId}`,
        );
        const { files, bytes } = row!;
        if (files + 1 > quota.maxFiles || bytes + sizeBytes > quota.maxBytes) return { files, bytes };
        const upload = { id, organizationId, sizeBytes, createdAt: new Date(createdMs) };
        await tx.query(insertInto('uploads', upload));
        return null;
      });
    },
    async confirm(id) {
      const rows = await database.query(
        sql`update listing_video.uploads set is_stored = true where id = ${id} returning id`,
      );
      return rows.length === 1;
    },
    async remove(ids) {
      await database.query(sql`delete from listing_video.uploads where id = any(${ids})`);
    },
    async findMissing(organizationId, ids, createdAfterMs) {
      const rows = await database.query<{ id: string }>(
        sql`select id from listing_video.uploads
         where organization_id = ${organizationId} and id = any(${ids}) and is_stored
           and created_at >= ${new Date(createdAfterMs)}`,
      );
      const found = new Set(rows.map(({ id }) => id));
      return ids.filter((id) => !found.has(id));
    },
    async hold(organizationId, taskId, ids) {
      await database.query(
        sql`insert into listing_video.upload_holds (upload_id, task_id)
         select id, ${taskId} from listing_video.uploads where organization_id = ${organizationId} and id = any(${ids})
         on conflict do nothing`,
      );
    },
    async release(organizationId, taskId) {
      await database.query(
        sql`delete from listing_video.upload_holds using listing_video.uploads
         where task_id = ${taskId} and upload_id = id and organization_id = ${organizationId}`,
      );
    },
    findRemovable: ({ createdBeforeMs }) =>
      database.query<UploadName>(
        sql`select id, organization_id from listing_video.uploads
         where (is_stored and created_at < ${new Date(createdBeforeMs)} or not is_stored and created_at < ${ABANDONED})
           and not exists (
             select 1 from listing_video.upload_holds left join listing_video.tasks on tasks.id = task_id
             where upload_id = uploads.id and (state <> 'SUCCEEDED' or tasks.id is null and held_at > ${ABANDONED})
           )
         order by created_at, id limit ${FOUND_AT_ONCE}`,
      ),
  };
}
