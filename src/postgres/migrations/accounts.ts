/** Migration 2: organizations, their ledger, API keys, idempotency keys, the audit log. */
export const ACCOUNTS = `
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
  -- The process that reserved the credits.
  reserved_by json,
  note text,
  created_at timestamptz not null,
  ended_at timestamptz,
  check ((kind = 'task') = (task_id is not null and retries is not null and state is not null))
);
create unique index ledger_entries_by_task on listing_video.ledger_entries (task_id, organization_id, retries)
  where kind = 'task';
create index ledger_entries_reserved on listing_video.ledger_entries (id) where state = 'reserved';
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
  task_id uuid primary key,
  -- done: its task exists. void: another request took the key over, and this task must never be made.
  state text not null check (state in ('claimed', 'done', 'void')),
  owner json not null,
  claimed_at timestamptz not null
);
create unique index idempotency_keys_in_force on listing_video.idempotency_keys (organization_id, key_hash)
  where state <> 'void';
create index idempotency_keys_by_age on listing_video.idempotency_keys (claimed_at);

create table listing_video.audit_log (
  id bigint generated always as identity primary key,
  entry json not null
);
`;
