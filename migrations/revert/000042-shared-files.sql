drop trigger video_entries_run_deleted on video_entries;
drop trigger video_entries_run_ended on video_entries;
drop function share_after_run();
drop index video_entries_same_video_idx;
alter table video_entries
  drop column download_quality,
  drop column address_hash,
  drop column words_hash,
  drop column download_copied;
