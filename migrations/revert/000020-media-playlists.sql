drop trigger playlist_videos_media_changed on playlist_videos;
drop trigger playlists_media_changed on playlists;
drop table media_playlists;
