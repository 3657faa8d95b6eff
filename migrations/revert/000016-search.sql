alter table channels drop column image_url;
alter table video_entries drop column words;
