alter table video_entries
  drop column chapters;
