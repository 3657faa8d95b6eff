alter table video_entries drop column subtitles;
alter table channels drop column quality;
alter table users drop column quality;
