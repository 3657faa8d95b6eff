drop index video_entries_waiting_idx;
