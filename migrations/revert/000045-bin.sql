drop table deleted_videos;
drop table deleted_channels;
drop table deleted_files;
