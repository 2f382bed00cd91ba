/** Migration 6: uploads, whose bytes are in a bucket, and the tasks that use them. */
export const UPLOADS = `
create table listing_video.uploads (
  id text collate "C" primary key,
  organization_id text collate "C" not null,
  size_bytes bigint not null,
  created_at timestamptz not null,
  -- False while the bytes are checked and stored. It counts already.
  is_stored boolean not null default false
);
create index uploads_by_organization on listing_video.uploads (organization_id) include (size_bytes);
create index uploads_by_age on listing_video.uploads (created_at, id);

-- A task holds its uploads before it is stored, so this is no foreign key.
create table listing_video.upload_holds (
  upload_id text collate "C" not null references listing_video.uploads on delete cascade,
  task_id uuid not null,
  held_at timestamptz not null default clock_timestamp(),
  primary key (upload_id, task_id)
);
create index upload_holds_by_task on listing_video.upload_holds (task_id);
`;
