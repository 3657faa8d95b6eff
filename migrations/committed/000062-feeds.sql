--! Previous: sha1:f3f3f14ed648219907ce26cd6a387961bb668675
--! Hash: sha1:192032fa569241474d0f2f861620a53054bbf348
--! Message: feeds

-- What decides for all followers of a feed must come from the feed, because a person can bring any row of a channel in an archive. This
-- table is written only by a visit to the feed at its address. It starts empty: the next check of each feed reads the whole feed once.
create table feeds (
  rss_url    text primary key,
  -- The page that the feed itself names. Null: none.
  page_url   text,
  -- When its newest videos were published, at most 15.
  posted     timestamptz[] not null,
  -- The videos that it had.
  video_ids  text[]        not null,
  -- The videos of the listing that replaces or completes it. Null: that was never read.
  listed_ids text[]
);

-- Looks at one host take turns between people. Building the index reads the table once: about a second for a million videos.
create index video_entries_look_turn_idx on video_entries (video_host, user_id, look_at) where look_at is not null;

-- Words of a site paused these for everyone. From now on they pause one person's.
delete from host_pauses where user_id is null and host ~ '^(looks|captions|pictures):';
