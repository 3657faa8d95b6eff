--! Previous: sha1:226c561892a34f2d6731e96565e21472fbc0d829
--! Hash: sha1:c71b2d3ef0c3a369576d1b71839ad95a2c19350d
--! Message: bin

-- Deleted files, unfollowed channels and removed videos can be restored for some hours. A row here lasts as long as what it describes is
-- in the bin. What is removed from the tables of the library is stored as JSON, so that it returns as it was, also when a later
-- migration has added a column. All tables start empty, so this takes milliseconds at any size.

-- A file in the bin. Its row is also the lock: who deletes the row may remove the file.
create table deleted_files (
  user_id       uuid        not null constraint deleted_files_user_fkey references users (id) on delete cascade,
  video_id      text        not null,
  channel_id    text        not null,
  title         text        not null,
  -- The columns of `video_entries` that describe the file.
  file          jsonb       not null,
  download_path text        not null generated always as (file->>'download_path') stored,
  file_size     bigint      not null generated always as ((file->>'file_size')::bigint) stored,
  -- A rule deleted it.
  by_rule       boolean     not null,
  -- It was deleted with its channel, and returns with it.
  with_channel  boolean     not null,
  deleted_at    timestamptz not null default now(),
  constraint deleted_files_pkey primary key (user_id, video_id)
);
create index deleted_files_recent_idx on deleted_files (user_id, deleted_at) include (file_size);
create index deleted_files_channel_idx on deleted_files (user_id, channel_id) include (file_size) where with_channel;
-- A full disk empties the bin of all people, oldest first. Their bytes are summed from this index alone.
create index deleted_files_oldest_idx on deleted_files (deleted_at) include (file_size);

-- An unfollowed channel, or the channel of a removed video, as it was.
create table deleted_channels (
  user_id     uuid        not null constraint deleted_channels_user_fkey references users (id) on delete cascade,
  channel_id  text        not null,
  title       text        not null,
  -- False: only single videos of it were removed.
  is_followed boolean     not null,
  entry_count integer     not null,
  channel     jsonb       not null,
  -- The rows of `channel_rules` and `backfills`. Null: it had none.
  rule        jsonb,
  backfill    jsonb,
  deleted_at  timestamptz not null default now(),
  constraint deleted_channels_pkey primary key (user_id, channel_id)
);
create index deleted_channels_recent_idx on deleted_channels (user_id, deleted_at) where is_followed;
create index deleted_channels_oldest_idx on deleted_channels (deleted_at);

create table deleted_videos (
  user_id    uuid  not null,
  channel_id text  not null,
  video_id   text  not null,
  -- The row of `video_entries`, without the words for searches, which are made again.
  entry      jsonb not null,
  -- The row of `viewings`. Null: it had none.
  viewing    jsonb,
  constraint deleted_videos_pkey primary key (user_id, channel_id, video_id),
  constraint deleted_videos_channel_fkey foreign key (user_id, channel_id)
    references deleted_channels (user_id, channel_id) on delete cascade
);
create index deleted_videos_video_idx on deleted_videos (user_id, video_id);
