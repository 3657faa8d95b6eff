--! Previous: sha1:60f6d919d0b123206c95f9b1ef519c41bd2e25fb
--! Hash: sha1:808b86f4a52e326142df03b562292367b05db85f
--! Message: media-tree

-- Media servers show downloads as shows, seasons and episodes. They know a video by its path and by its number, so both are stored when a
-- file first appears in MEDIA_DIR, and never change: not when a date becomes exact, when a file is downloaded again, or when a channel is
-- unfollowed and restored. The tables start empty, and stay empty without MEDIA_DIR. Adding the trigger takes milliseconds at any size.

-- One row while any worker has MEDIA_DIR.
create table media_service (
  is_only        boolean primary key default true check (is_only),
  -- When such a worker last ran its pass. The trigger below adds no jobs long after it.
  seen_at        timestamptz not null,
  -- When many links were missing at once in one tree, so that no file was deleted, and how many. Null: never.
  guarded_at     timestamptz,
  guarded_links  integer
);

-- One row for each person with a tree.
create table media_trees (
  user_id    uuid primary key references users (id) on delete cascade,
  -- When the folders of the tree were last read. Null: it is due now.
  checked_at timestamptz
);
create index media_trees_checked_idx on media_trees (checked_at nulls first);

-- The folder of each channel. It has no foreign key to the channel, because it stays when the channel is unfollowed.
create table media_channels (
  user_id    uuid not null references users (id) on delete cascade,
  channel_id text not null,
  folder     text not null,
  -- The folder as file systems compare names that ignore case.
  folder_key text not null,
  -- What the written tvshow.nfo says. Null: it is not written.
  words_hash uuid,
  -- The picture that was written. Null: none.
  picture_id uuid,
  primary key (user_id, channel_id),
  constraint media_channels_folder_key unique (user_id, folder_key)
);

create table media_episodes (
  user_id    uuid not null,
  video_id   text not null,
  channel_id text not null,
  season     integer not null,
  episode    integer not null,
  -- The name of the file without its extension.
  name       text not null,
  -- Whether the files are in the tree. `unsure`: a run writes or removes them now, or died while it did.
  state      text not null default 'absent',
  -- The linked file, with its extension and the languages of its subtitles.
  file_hash  uuid,
  extension  text,
  subtitles  text[] not null default '{}',
  -- What the written .nfo file says. Null: it is not written.
  words_hash uuid,
  -- The picture that was written. Null: none.
  picture_id uuid,
  primary key (user_id, video_id),
  constraint media_episodes_number unique (user_id, channel_id, season, episode),
  constraint media_episodes_channel_fkey foreign key (user_id, channel_id)
    references media_channels (user_id, channel_id) on delete cascade,
  constraint media_episodes_state check (state in ('absent', 'unsure', 'present'))
);

-- Every change of a file, or of the words of a video with a file, adds a job for its person, whatever statement makes it. The trigger runs
-- at the end of the transaction: the row of the job is then its last lock, so two transactions never wait for each other.
create function queue_media_update() returns trigger language plpgsql as $$
declare
  person uuid := case tg_op when 'DELETE' then old.user_id else new.user_id end;
  name   text := 'media:' || person;
begin
  -- One job is enough for all changes of a transaction.
  if current_setting('backlot.media_queued', true) = name then
    return null;
  end if;
  if not exists (select from media_service where seen_at > now() - interval '10 minutes') then
    return null;
  end if;
  perform set_config('backlot.media_queued', name, true);
  -- Without this lock, graphile-worker neither replaces nor adds a job that a worker takes at this moment.
  perform from graphile_worker._private_jobs where key = name for update;
  perform graphile_worker.add_job('update-media', json_build_object('user_id', person), queue_name := name, job_key := name);
  return null;
end
$$;

create constraint trigger video_entries_media_added after insert on video_entries
  deferrable initially deferred
  for each row when (new.download_path is not null)
  execute function queue_media_update();
create constraint trigger video_entries_media_removed after delete on video_entries
  deferrable initially deferred
  for each row when (old.download_path is not null)
  execute function queue_media_update();
create constraint trigger video_entries_media_changed
  after update of download_path, download_completed_at, subtitles, title, description, published_at, duration_seconds on video_entries
  deferrable initially deferred
  for each row when (
    new.download_path is distinct from old.download_path
    or new.download_path is not null
    and (new.download_completed_at, new.subtitles, new.title, new.description, new.published_at, new.duration_seconds)
        is distinct from
        (old.download_completed_at, old.subtitles, old.title, old.description, old.published_at, old.duration_seconds))
  execute function queue_media_update();
