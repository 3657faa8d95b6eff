--! Previous: sha1:cf526466c2fc5e969888c6161070e0883faab0b9
--! Hash: sha1:c5176604c97067daf9ad8786208956cad66389c0
--! Message: indexes-of-counts

-- The counts of unwatched videos read a person's newest videos and the marks of those on every page. With these indexes they read no
-- row of the tables. Building them reads each table once: a few seconds at a million videos, during which videos can be read but not
-- written. The old index is dropped last, because that waits for all who read, and makes others wait.
create index video_entries_newest_videos_idx on video_entries (user_id, sort_at desc, id desc) include (channel_id, video_id, source);
create index viewings_marked_idx on viewings (user_id, video_id) where seen_at is not null or not_for_me_at is not null;
drop index video_entries_newest_idx;
alter index video_entries_newest_videos_idx rename to video_entries_newest_idx;
