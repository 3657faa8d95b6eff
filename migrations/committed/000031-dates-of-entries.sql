--! Previous: sha1:7a21904ef8ddd285d0dd989c47237b01b55ccde6
--! Hash: sha1:471aa9cf7483f0a069cd7bcf60e4736fd77e3ac6
--! Message: dates-of-entries

-- A save finds a video whose feed gave it another address and guid by its date, and no longer reads all videos of the channel: with 150
-- videos in each channel, that was a large part of the processor time of a save for 200 followers. The history finds a date, except for
-- videos that were seen before it. The new index has only those, so it costs other videos nothing. One unique index now also finds all
-- rows of a video, because it begins with the person and the video: one index less for each new video. About 2 seconds at a million
-- videos, during which nothing else can read or write them.
create index video_entries_early_idx on video_entries (user_id, channel_id, published_at) where published_at > first_seen_at;

alter table video_entries
  drop constraint video_entries_video_key,
  add constraint video_entries_video_key unique (user_id, video_id, channel_id);
drop index video_entries_by_video_idx;
