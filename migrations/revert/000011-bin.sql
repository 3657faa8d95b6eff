drop trigger video_entries_transcripts on video_entries;
drop table deleted_videos, deleted_channels, deleted_files;
drop function forget_transcripts;
