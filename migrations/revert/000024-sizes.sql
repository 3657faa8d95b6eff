drop index video_entries_standing_idx;
create index video_entries_standing_idx on video_entries (standing, user_id, video_id) include (video_host)
where standing is not null;
