--! Previous: sha1:3d51f0c9ef9e9540bb744c824107311db3660b8d
--! Hash: sha1:dc6aa069d70f7f9b89e653a65d73c999addffd09
--! Message: standing-alone

-- Numbers over all people are read from an index alone, and a waiting download without a job is found without reading the videos.
-- The index has only videos whose download was requested: a second at a million videos, during which nothing else can write them.
drop index video_entries_standing_idx;
create index video_entries_standing_idx on video_entries (standing, user_id, video_id) include (video_host)
where standing is not null;
