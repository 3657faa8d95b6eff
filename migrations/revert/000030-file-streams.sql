alter table video_entries
  drop column file_streams,
  drop column wanted_quality;
