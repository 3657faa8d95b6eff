drop trigger video_entries_playlists on video_entries;
drop trigger deleted_videos_playlists on deleted_videos;
drop function leave_playlists;
drop table playlist_videos, playlists;
drop index viewings_history_idx;
alter table viewings
  drop column forgotten_at;
