create index video_entries_by_video_idx on video_entries (user_id, video_id);
alter table video_entries
  drop constraint video_entries_video_key,
  add constraint video_entries_video_key unique (user_id, channel_id, video_id);
drop index video_entries_early_idx;
