alter table video_entries
  drop column download_turn_at;
