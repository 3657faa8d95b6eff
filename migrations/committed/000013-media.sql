--! Previous: sha1:40c8bb5ed4815aad3fe8c165e3ec15673de65945
--! Hash: sha1:ed1be6b3bee73edf20dfb8c6a625934c216f1667
--! Message: media

-- MEDIA_DIR: a folder in which media servers find downloads as shows, seasons and episodes. Servers know a video by its path and number,
-- so both are stored when a file first appears there, and never change. Without MEDIA_DIR these tables stay empty.

-- One row while any worker has MEDIA_DIR.
create table media_service (
  is_only       boolean     default true constraint media_service_pkey primary key
                            constraint media_service_is_only_check check (is_only),
  -- When such a worker last ran its pass. The trigger below adds no jobs long after this time.
  seen_at       timestamptz not null,
  -- When so many links were missing at once in one tree that no file was deleted, and how many. Null: never.
  guarded_at    timestamptz,
  guarded_links integer
);

-- The tree of folders of one person.
create table media_trees (
  user_id    uuid        constraint media_trees_pkey primary key
                         constraint media_trees_user_id_fkey references users (id) on delete cascade,
  -- When the folders of the tree were last read. Null: they are due.
  checked_at timestamptz,
  -- A missing link is a deletion only in the folder whose marker file has this stamp. Other folders miss links for other reasons: a copy,
  -- an earlier MEDIA_DIR, the folder of another worker. Each update that writes links changes the stamp. Null: nothing was written.
  stamp      uuid
);
create index media_trees_checked_idx on media_trees (checked_at nulls first);

-- The folder of each channel. It has no foreign key to the channel, because it stays when the channel is unfollowed.
create table media_channels (
  user_id    uuid not null constraint media_channels_user_id_fkey references users (id) on delete cascade,
  channel_id text not null,
  folder     text not null,
  -- The folder as file systems compare names that ignore case.
  folder_key text not null,
  -- A hash of what the written tvshow.nfo says. Null: it is not written.
  words_hash uuid,
  -- The picture that was written. Null: none.
  picture_id uuid,
  constraint media_channels_pkey primary key (user_id, channel_id),
  constraint media_channels_folder_key unique (user_id, folder_key)
);

create table media_episodes (
  user_id    uuid    not null,
  video_id   text    not null,
  channel_id text    not null,
  season     integer not null,
  episode    integer not null,
  -- The name of the file without its extension.
  name       text    not null,
  -- Whether the files are in the tree. `unsure`: a run writes or removes them, or died while it did.
  state      text    not null default 'absent',
  -- The linked file, with its extension and the languages of its subtitles.
  file_hash  uuid,
  extension  text,
  subtitles  text[]  not null default '{}',
  -- A hash of what the written .nfo file says. Null: it is not written.
  words_hash uuid,
  -- The picture that was written. Null: none.
  picture_id uuid,
  constraint media_episodes_pkey primary key (user_id, video_id),
  constraint media_episodes_number unique (user_id, channel_id, season, episode),
  constraint media_episodes_channel_fkey foreign key (user_id, channel_id)
    references media_channels (user_id, channel_id) on delete cascade,
  constraint media_episodes_state check (state in ('absent', 'unsure', 'present'))
);

-- Adds a job for the person when a file changes, or the words of a video with a file, whatever statement changes them. The trigger
-- runs at the end of the transaction: the row of the job is then its last lock, so two transactions never wait for each other.
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
