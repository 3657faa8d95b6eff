--! Previous: sha1:7476e63bab4da4d4a17d6381a57e4fb3ba795e18
--! Hash: sha1:a080ec89c5a0c241e268c5390265e584b71c7bf3
--! Message: bin

-- The bin: deleted files, unfollowed channels and removed videos can be restored for some hours. A row exists as long as what it
-- describes is in the bin. Rows of the library are stored as JSON, so they return as they were, also when a later migration adds a column.

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
-- A full disk empties the bin of all people, the oldest deletions first. Their bytes are summed from this index alone.
create index deleted_files_oldest_idx on deleted_files (deleted_at) include (file_size);

-- An unfollowed channel, or the channel of a removed video.
create table deleted_channels (
  user_id     uuid        not null constraint deleted_channels_user_fkey references users (id) on delete cascade,
  channel_id  text        not null,
  title       text        not null,
  -- False: only single videos of it were removed.
  is_followed boolean     not null,
  entry_count integer     not null,
  -- The row of `channels`.
  channel     jsonb       not null,
  -- The rows of `channel_rules` and `backfills`. Null: it had none.
  rule        jsonb,
  backfill    jsonb,
  deleted_at  timestamptz not null default now(),
  -- The groups that it was in.
  group_ids   uuid[]      not null default '{}',
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

-- Deletes the transcript of a video with the last row of that video. While the video is in the bin, its transcript stays, so that both
-- return together.
create function forget_transcripts() returns trigger language plpgsql as $$
begin
  delete from transcripts
  using  (select distinct user_id, video_id from gone) gone
  where  transcripts.user_id = gone.user_id and transcripts.video_id = gone.video_id
  and    not exists (select from video_entries entry where entry.user_id = gone.user_id and entry.video_id = gone.video_id)
  and    not exists (select from deleted_videos kept where kept.user_id = gone.user_id and kept.video_id = gone.video_id);
  return null;
end
$$;
create trigger video_entries_transcripts after delete on video_entries
  referencing old table as gone for each statement execute function forget_transcripts();
create trigger deleted_videos_transcripts after delete on deleted_videos
  referencing old table as gone for each statement execute function forget_transcripts();
