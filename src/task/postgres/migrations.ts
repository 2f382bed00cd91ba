/** The schema in steps, whose number is its version. A step that was released is never changed: another follows it. */

export interface Migration {
  readonly name: string;
  /** Statements, run in one transaction. */
  readonly sql: string;
  /**
   * The lowest version that a program must know to work with the database after this step. It is stored with the step,
   * so that older programs can read it. Absent: only programs that know the step itself can.
   */
  readonly oldest?: number;
}

export const MIGRATIONS: readonly Migration[] = [
  {
    name: 'tables',
    sql: `
-- Tasks and their payloads.
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
  fence bigint not null,
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

-- Organizations, their ledger, API keys, idempotency keys, the audit log.
create table listing_video.organizations (
  id text collate "C" primary key,
  name text not null,
  -- Sum of the ledger's entries that count, kept here so that a reservation locks one row.
  balance bigint not null default 0,
  is_metered boolean not null default false,
  created_at timestamptz not null
) with (fillfactor = 50);

-- One entry for each grant, and one for each task and retry that was accepted.
create table listing_video.ledger_entries (
  id bigint generated always as identity primary key,
  organization_id text collate "C" not null,
  -- An opening is the sum of entries that were removed because of their age.
  kind text not null check (kind in ('grant', 'task', 'opening')),
  -- Above 0: added to the balance. Below 0: the price of a task.
  credits bigint not null,
  task_id text collate "C",
  retries integer,
  -- Only of a task. Reserved and spent credits count, refunded ones do not.
  state text check (state in ('reserved', 'spent', 'refunded')),
  note text,
  created_at timestamptz not null,
  ended_at timestamptz,
  check ((kind = 'task') = (task_id is not null and retries is not null and state is not null))
);
create unique index ledger_entries_by_task on listing_video.ledger_entries (task_id, organization_id, retries)
  where kind = 'task';
create index ledger_entries_ended on listing_video.ledger_entries (ended_at) where ended_at is not null;
create unique index ledger_entries_openings on listing_video.ledger_entries (organization_id) where kind = 'opening';

create table listing_video.api_keys (
  id text collate "C" primary key,
  -- Hex sha256 of the whole key.
  hash text not null,
  organization_id text collate "C" not null references listing_video.organizations,
  read_only boolean not null,
  is_operator boolean not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);

-- The sign that every request needs a key. It stays when the keys are lost.
create table listing_video.keys_required (
  is_required boolean primary key check (is_required)
);

create table listing_video.idempotency_keys (
  organization_id text collate "C" not null,
  -- Hex sha256 of the key.
  key_hash text collate "C" not null,
  body_hash text not null,
  task_id uuid not null unique,
  claimed_at timestamptz not null,
  primary key (organization_id, key_hash)
);
create index idempotency_keys_by_age on listing_video.idempotency_keys (claimed_at);

create table listing_video.audit_log (
  id bigint generated always as identity primary key,
  entry json not null
);

-- The pools of workers, the turns of organizations, and the batches of tasks that several workers do.
create table listing_video.worker_pools (
  -- As graphile-worker names the pool in the locks of its jobs.
  id text collate "C" primary key,
  host text not null,
  pid integer not null,
  version text not null,
  state text not null,
  takes_batches boolean not null,
  tasks_at_once integer not null,
  running integer not null,
  started_at timestamptz not null default clock_timestamp(),
  beat_at timestamptz not null default clock_timestamp()
) with (fillfactor = 50);

-- Now, in virtual time.
create sequence listing_video.turns;

create table listing_video.organization_turns (
  organization_id text collate "C" primary key,
  -- Of its latest job.
  turn bigint not null
) with (fillfactor = 50);

create table listing_video.task_batches (
  task_id uuid not null references listing_video.tasks on delete cascade,
  -- 1, 2, 3, … A batch that is done is removed. 0 is none: it stays until the task ends, so that no task is divided twice.
  number integer not null,
  organization_id text collate "C",
  state text collate "C" not null check (state in ('WAITING', 'RUNNING', 'DIVIDED')),
  -- The place in the queue: the time of the division, or that of the moment at which the batch was put back.
  queued_at timestamptz not null,
  -- Of the latest claim.
  fence bigint not null,
  heartbeat_at timestamptz,
  worker json,
  work json not null,
  primary key (task_id, number)
) with (fillfactor = 50);

create index task_batches_waiting on listing_video.task_batches (organization_id, queued_at, task_id, number)
  where state = 'WAITING';

-- Webhooks and their deliveries.
create table listing_video.webhooks (
  id text collate "C" primary key,
  organization_id text collate "C" not null references listing_video.organizations,
  url text not null,
  events text[] not null,
  -- An array, the newest first: {"secret": …, "expiresAt": null or a time}.
  secrets json not null,
  created_at timestamptz not null,
  disabled_at timestamptz,
  -- The row of a deleted webhook stays, without secrets, until its deliveries are removed.
  deleted_at timestamptz,
  -- The last attempt failed.
  is_failing boolean not null default false
) with (fillfactor = 70);
create index webhooks_by_organization on listing_video.webhooks (organization_id) where deleted_at is null;

create table listing_video.webhook_deliveries (
  id text collate "C" primary key,
  webhook_id text collate "C" not null references listing_video.webhooks on delete cascade,
  state text collate "C" not null check (state in ('waiting', 'succeeded', 'failed')),
  -- As JSON, all but its task. The time is in its id.
  delivery json not null,
  -- The task as it was at its end: the message is made of it.
  task json not null,
  -- Names the claim of the server that sends it now; else null.
  claim text
) with (fillfactor = 70);
create index webhook_deliveries_by_webhook on listing_video.webhook_deliveries (webhook_id, state, id);
create index webhook_deliveries_by_state on listing_video.webhook_deliveries (state, id);

-- Uploads, whose bytes are in a bucket, and the tasks that use them.
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
`,
  },
];
