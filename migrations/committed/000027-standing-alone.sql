--! Previous: sha1:bea122f2c083a3c8a873002759d29090ebf6959c
--! Hash: sha1:fd575617c290b97d929654a00cb8ac8910d1ad35
--! Message: standing-alone

-- Numbers over all people are read from an index alone, and a waiting download without a job is found without reading the videos.
-- The index has only videos whose download was requested: a second at a million videos, during which nothing else can write them.
drop index video_entries_standing_idx;
create index video_entries_standing_idx on video_entries (standing, user_id, video_id) include (video_host)
where standing is not null;
