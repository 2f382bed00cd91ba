/** Migration 5: webhooks and their deliveries. */
export const WEBHOOKS = `
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
  is_failing boolean not null default false,
  -- When its deliveries were last taken by a server. The longest ago comes first.
  turn_at timestamptz
) with (fillfactor = 70);
create index webhooks_by_organization on listing_video.webhooks (organization_id) where deleted_at is null;

create table listing_video.webhook_deliveries (
  id text collate "C" primary key,
  webhook_id text collate "C" not null references listing_video.webhooks on delete cascade,
  organization_id text collate "C" not null,
  message_id text not null,
  task_id text not null,
  event text not null,
  state text collate "C" not null check (state in ('waiting', 'succeeded', 'failed')),
  created_at timestamptz not null,
  attempts integer not null,
  first_attempt_at timestamptz,
  next_attempt_at timestamptz,
  last_attempt json,
  problem text,
  redelivery_of text,
  -- The task as it was at its end: the message is made of it.
  task json not null,
  -- By the clock of the database: when a server can take it. While a server sends it, the end of the lease.
  due_at timestamptz not null,
  -- Names the claim of the server that sends it now; else null.
  claim text
) with (fillfactor = 70);
create index webhook_deliveries_waiting on listing_video.webhook_deliveries (webhook_id, due_at, id)
  where state = 'waiting';
create index webhook_deliveries_claimed on listing_video.webhook_deliveries (webhook_id, due_at)
  where claim is not null;
create index webhook_deliveries_by_webhook on listing_video.webhook_deliveries (webhook_id, state, id);
create index webhook_deliveries_by_state on listing_video.webhook_deliveries (state, id);
`;
