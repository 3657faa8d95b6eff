alter table video_entries drop column download_cancelled_at;
