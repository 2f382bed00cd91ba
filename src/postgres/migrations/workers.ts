/** Migration 3: the pools of workers. */
export const WORKERS = `
create table listing_video.worker_pools (
  -- As graphile-worker names the pool in the locks of its jobs.
  id text collate "C" primary key,
  host text not null,
  pid integer not null,
  tasks_at_once integer not null,
  running integer not null,
  started_at timestamptz not null default clock_timestamp(),
  beat_at timestamptz not null default clock_timestamp()
) with (fillfactor = 50);
`;
