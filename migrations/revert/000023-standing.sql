drop index video_entries_standing_idx;
alter table video_entries drop column standing;
create index video_entries_shelves_idx on video_entries (user_id, download_status)
where download_status <> 'PENDING' or download_requested_at is not null;
