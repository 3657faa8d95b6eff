drop trigger video_entries_run_deleted on video_entries;
drop trigger video_entries_run_ended on video_entries;
drop function share_after_run;
drop trigger video_entries_claim_deleted on video_entries;
drop trigger video_entries_claim_taken on video_entries;
drop function tell_lost_claim;
drop table turns_given, download_pauses;

-- These indexes have only columns that stay.
drop index video_entries_status_idx, video_entries_ended_idx, video_entries_running_idx;
alter table video_entries
  drop constraint video_entries_failed_says_why,
  drop constraint video_entries_completed_has_file,
  drop constraint video_entries_downloading_is_claimed,
  drop column standing,
  drop column site_facts,
  drop column download_copied,
  drop column words_hash,
  drop column address_hash,
  drop column download_quality,
  drop column file_is_read,
  drop column subtitles,
  drop column download_cancelled_at,
  drop column download_paused_at,
  drop column download_kept_bytes,
  drop column download_restarts,
  drop column download_turns_lost,
  drop column download_progress,
  drop column download_heartbeat_at,
  drop column download_claim,
  drop column download_detail,
  drop column download_failures,
  drop column download_reason,
  drop column download_next_attempt_at,
  drop column download_attempts,
  drop column download_by_rule,
  drop column download_asked_by,
  drop column download_requested_at;
