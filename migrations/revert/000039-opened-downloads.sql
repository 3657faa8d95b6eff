drop index video_entries_opened_idx;
