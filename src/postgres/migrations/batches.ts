/** Migration 8: the batches of tasks that several workers do. */
export const BATCHES = `
create table listing_video.task_batches (
  task_id uuid not null references listing_video.tasks on delete cascade,
  -- 1, 2, 3, … A batch that is done is removed. 0 is none: it stays until the task ends, so that no task is divided twice.
  number integer not null,
  organization_id text collate "C",
  state text collate "C" not null check (state in ('WAITING', 'RUNNING', 'DIVIDED')),
  -- The place in the queue: the time of the division, or that of the moment at which the batch was put back.
  queued_at timestamptz not null,
  -- Of the latest claim.
  fence integer not null,
  heartbeat_at timestamptz,
  worker json,
  work json not null,
  primary key (task_id, number)
) with (fillfactor = 50);

create index task_batches_waiting on listing_video.task_batches (organization_id, queued_at, task_id, number)
  where state = 'WAITING';

-- Pools of earlier versions take none.
alter table listing_video.worker_pools add takes_batches boolean not null default false;
`;
