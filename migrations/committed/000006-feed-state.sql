--! Previous: sha1:d39cf0fd74136b4b676ee07d1d7a4eb59101f6ec
--! Hash: sha1:15befe0c8c99980c465961ee1c7443baa91a13ef
--! Message: feed-state

-- A polite refresh remembers of each feed how to ask for news alone, when to ask next, and since when it fails.
alter table channels
  -- As the site sent them, and sent back to it; the body's hash serves where a site sends neither.
  add column etag             text,
  add column last_modified    text,
  add column body_hash        text,
  -- How often the feed itself wants to be asked, at most.
  add column every_minutes    integer,
  -- Null: not planned yet, or nothing is.
  add column next_fetch_at    timestamptz,
  -- The first failure of the present run of them.
  add column failing_since    timestamptz,
  -- When somebody last asked for a refresh by hand.
  add column refresh_asked_at timestamptz;
update channels
set    failing_since = fetch_failed_at
where  fetch_failures > 0;

drop index channels_last_fetched_at_idx;
create index channels_next_fetch_at_idx on channels (next_fetch_at);
-- By hash: addresses may be longer than an entry of an ordered index.
create index channels_rss_url_idx on channels using hash (rss_url);
