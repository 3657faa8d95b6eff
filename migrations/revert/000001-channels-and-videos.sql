drop table video_entries;
drop table channels;
