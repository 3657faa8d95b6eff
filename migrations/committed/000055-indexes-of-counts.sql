--! Previous: sha1:cf526466c2fc5e969888c6161070e0883faab0b9
--! Hash: sha1:e7dce0c5f5e9d3bab0a47ca7f34a3166194eaa47
--! Message: indexes-of-counts

-- The counts of unwatched videos read a person's newest videos and the marks of those on every page. With these indexes they read no
-- row of the tables. Building them reads each table once: a few seconds at a million videos, during which videos can be read but not
-- written.
drop index video_entries_newest_idx;
create index video_entries_newest_idx on video_entries (user_id, sort_at desc, id desc) include (channel_id, video_id, source);
create index viewings_marked_idx on viewings (user_id, video_id) where seen_at is not null or not_for_me_at is not null;
