drop trigger video_entries_claim_deleted on video_entries;
drop trigger video_entries_claim_taken on video_entries;
drop function tell_lost_claim();
