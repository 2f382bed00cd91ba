/** Migration 1: tasks and their payloads. */
export const TASKS = `
create table listing_video.tasks (
  id uuid primary key,
  origin text not null check (origin in ('cli', 'api')),
  organization_id text collate "C",
  state text collate "C" not null check (state in ('PENDING', 'RUNNING', 'FAILED', 'SUCCEEDED')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  started_at timestamptz,
  -- The place in the queue: the time of the creation, or that of the moment at which the task was put back.
  queued_at timestamptz not null,
  is_put_back boolean not null,
  attempts integer not null,
  max_attempts integer not null,
  retries integer not null,
  cancel_requested boolean not null,
  -- Number of the latest change of state: the fencing token.
  fence integer not null,
  heartbeat_at timestamptz,
  -- JSON as text, because jsonb changes numbers and the order of keys.
  setbacks json,
  summary json,
  progress json,
  failure json,
  outcome json,
  worker json,
  submitter json not null,
  -- Size of failure and outcome as text, in bytes. A page of tasks has a limit.
  result_bytes integer not null
-- Room for heartbeats and progress in the page of the row: such updates then change no index.
) with (fillfactor = 70);

-- Lists are sorted by id, which is in the order of creation.
create index tasks_by_state on listing_video.tasks (state, id);
create index tasks_by_organization on listing_video.tasks (organization_id, id);
create index tasks_by_organization_and_state on listing_video.tasks (organization_id, state, id);
create index tasks_waiting on listing_video.tasks (origin, organization_id, queued_at, is_put_back, id)
  where state = 'PENDING';
create index tasks_ended on listing_video.tasks (updated_at, id) where state in ('SUCCEEDED', 'FAILED');

-- A payload can be megabytes long, and only the worker of its task reads it.
create table listing_video.task_payloads (
  task_id uuid primary key references listing_video.tasks on delete cascade,
  payload json not null
);
`;
