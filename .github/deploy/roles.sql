-- Two users of the database of listing-video: `videos_owner` makes and updates the tables, `videos` serves and renders.
-- Run it as videos_owner after each `listing-video database migrate`, so that new tables have their rights, too:
--
--   psql --set=ON_ERROR_STOP=1 --file=roles.sql

begin;

grant usage on schema listing_video, listing_video_queue to videos;
grant select, insert, update, delete on all tables in schema listing_video, listing_video_queue to videos;
grant usage, select, update on all sequences in schema listing_video, listing_video_queue to videos;
grant execute on all functions in schema listing_video_queue to videos;

-- Only a migration changes the versions of the tables.
revoke insert, update, delete on listing_video.migrations, listing_video_queue.migrations from videos;

-- The queue turns row-level security on, and then refuses every row to users other than the owner.
do $$
declare
  protected regclass;
begin
  for protected in
    select oid from pg_class
    where relnamespace = 'listing_video_queue'::regnamespace and relkind = 'r' and relrowsecurity
  loop
    execute format('drop policy if exists videos on %s', protected);
    execute format('create policy videos on %s to videos using (true) with check (true)', protected);
  end loop;
end
$$;

commit;
