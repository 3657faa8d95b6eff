drop index video_entries_status_idx;
drop trigger video_entries_added on video_entries;
drop trigger video_entries_removed on video_entries;
drop function count_entries();
alter table channels drop column entry_count;
