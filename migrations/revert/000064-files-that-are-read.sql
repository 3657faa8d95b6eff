drop index video_entries_unread_files_idx;

alter table video_entries
  drop column file_is_read;
