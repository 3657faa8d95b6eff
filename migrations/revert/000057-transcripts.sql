drop trigger deleted_videos_transcripts on deleted_videos;
drop trigger video_entries_transcripts on video_entries;
drop function forget_transcripts();
drop table moments;
drop table transcripts;
drop function said_words(text);
