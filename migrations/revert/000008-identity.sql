drop index video_entries_guid_key, video_entries_moved_idx;
alter table video_entries drop column guid, drop column moved_id;
