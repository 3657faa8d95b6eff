--! Previous: sha1:2e665db2005b4cfe9d3a18affd38bbf60a95e050
--! Hash: sha1:0560e35ea5d86e4192f75d1154a51cec7a530eca
--! Message: media-playlists

-- Playlists in MEDIA_DIR: one file for each playlist that has a video there.
create table media_playlists (
  user_id      uuid not null constraint media_playlists_user_id_fkey references users (id) on delete cascade,
  -- Without a foreign key: the row stays until the file of a deleted playlist is removed.
  playlist_id  uuid not null,
  -- The name of the file without its extension.
  name         text not null,
  -- The name as file systems compare names that ignore case.
  name_key     text not null,
  -- A hash of what the written file says. Null: it is not written.
  content_hash uuid,
  constraint media_playlists_pkey primary key (user_id, playlist_id),
  constraint media_playlists_name_key unique (user_id, name_key)
);

-- A new playlist has no videos, so it needs no file.
create constraint trigger playlists_media_changed after update of name, deleted_at on playlists
  deferrable initially deferred
  for each row when ((new.name, new.deleted_at) is distinct from (old.name, old.deleted_at))
  execute function queue_media_update();
create constraint trigger playlist_videos_media_changed after insert or update of place or delete on playlist_videos
  deferrable initially deferred
  for each row execute function queue_media_update();
