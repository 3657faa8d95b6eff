alter table channels drop column plays_whole;
alter table users drop column skip_categories;
drop table video_segments;
