--! Previous: sha1:923a0ff0f29e76a4015270b8cc278af795e468d9
--! Hash: sha1:b1f96c69f8472716d6ecc14055cca3c143017e68
--! Message: playlist-removals

-- Several videos that a person takes out of a playlist can be put back to their places.
alter table playlist_videos
  -- When it was taken out. It keeps its place for a day, in which this can be undone. Null: it is in the playlist.
  add column removed_at timestamptz;

drop trigger playlist_videos_media_changed on playlist_videos;
create constraint trigger playlist_videos_media_changed after insert or update of place, removed_at or delete on playlist_videos
  deferrable initially deferred
  for each row execute function queue_media_update();
