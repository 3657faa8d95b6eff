drop index video_entries_shelves_idx;
