/** Migration 4: the turns of organizations. */
export const TURNS = `
create sequence listing_video.turns;

create table listing_video.organization_turns (
  organization_id text collate "C" primary key,
  -- Of the latest claim of one of its tasks. The lowest is next.
  turn bigint not null
) with (fillfactor = 50);
`;
