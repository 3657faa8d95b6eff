drop index video_entries_address_idx;
