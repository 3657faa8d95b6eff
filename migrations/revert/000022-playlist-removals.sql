drop trigger playlist_videos_media_changed on playlist_videos;
delete from playlist_videos
where  removed_at is not null;
alter table playlist_videos
  drop column removed_at;
create constraint trigger playlist_videos_media_changed after insert or update of place or delete on playlist_videos
  deferrable initially deferred
  for each row execute function queue_media_update();
