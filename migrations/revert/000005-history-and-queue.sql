drop table workers;

drop index channels_last_fetched_at_idx;
alter table channels
  drop column fetch_failures,
  drop column fetch_failed_at,
  drop column fetch_error,
  drop column created_at;

drop index video_entries_by_video_idx;
drop index video_entries_newest_idx;
drop index video_entries_history_idx;

alter table video_entries
  drop constraint video_entries_failed_says_why,
  drop constraint video_entries_completed_has_file,
  drop constraint video_entries_downloading_is_claimed,
  drop column download_progress,
  drop column download_heartbeat_at,
  drop column download_claim,
  drop column download_next_attempt_at,
  drop column download_attempts,
  drop column download_requested_at,
  drop column sort_at,
  drop column first_seen_at;
