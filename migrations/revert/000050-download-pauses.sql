drop table download_pauses;
alter table video_entries drop column download_paused_at;
