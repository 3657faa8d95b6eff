drop index viewings_marked_idx;
drop index video_entries_newest_idx;
create index video_entries_newest_idx on video_entries (user_id, sort_at desc, id desc);
