drop index video_entries_added_idx;
