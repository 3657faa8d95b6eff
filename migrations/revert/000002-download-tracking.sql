drop index video_entries_download_status_idx;

alter table video_entries
  drop column download_status,
  drop column download_path,
  drop column download_started_at,
  drop column download_completed_at,
  drop column download_error,
  drop column file_size;

drop type download_status;
