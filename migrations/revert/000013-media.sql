drop trigger video_entries_media_changed on video_entries;
drop trigger video_entries_media_removed on video_entries;
drop trigger video_entries_media_added on video_entries;
drop function queue_media_update;
drop table media_episodes, media_channels, media_trees, media_service;
