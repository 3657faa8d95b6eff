--! Previous: sha1:c1f189669c59c61eb5e7e8bbd42accebc125b271
--! Hash: sha1:371b0d094b8eaaa043c49045c43448ca4ab55f93
--! Message: playlists

-- Own lists: playlists, which have their videos in an order of their own, and the history, from which videos can be removed.
alter table viewings
  -- When it was removed from the history, with its position, until it is watched again. Null: it was not.
  add column forgotten_at timestamptz;
create index viewings_history_idx on viewings (user_id, greatest(watched_at, seen_at) desc)
where greatest(watched_at, seen_at) is not null and forgotten_at is null;

create table playlists (
  user_id     uuid        not null constraint playlists_user_fkey references users (id) on delete cascade,
  playlist_id uuid        not null default gen_random_uuid(),
  name        text        not null constraint playlists_name check (length(name) between 1 and 60),
  created_at  timestamptz not null default now(),
  -- A deleted playlist keeps its videos for a day, so that the deletion can be undone. Null: it is not deleted.
  deleted_at  timestamptz,
  constraint playlists_pkey primary key (user_id, playlist_id)
);
create unique index playlists_name_key on playlists (user_id, lower(name)) where deleted_at is null;

-- A video can be in several playlists, and is in each at most once, however many channels it is in.
create table playlist_videos (
  user_id     uuid        not null,
  playlist_id uuid        not null,
  video_id    text        not null,
  -- Of two videos, the one with the lower number comes first. Numbers may be missing.
  place       integer     not null,
  -- The videos that were added together have one time, by which they can be taken out again.
  added_at    timestamptz not null default now(),
  constraint playlist_videos_pkey primary key (user_id, playlist_id, video_id),
  constraint playlist_videos_playlist_fkey foreign key (user_id, playlist_id)
    references playlists (user_id, playlist_id) on delete cascade
);
create index playlist_videos_place_idx on playlist_videos (user_id, playlist_id, place, video_id);
create index playlist_videos_video_idx on playlist_videos (user_id, video_id);

-- Takes a video out of the playlists with its last row. While the video is in the bin, it keeps its places, so that it returns to them.
create function leave_playlists() returns trigger language plpgsql as $$
begin
  delete from playlist_videos
  using  (select distinct user_id, video_id from gone) gone
  where  playlist_videos.user_id = gone.user_id and playlist_videos.video_id = gone.video_id
  and    not exists (select from video_entries entry where entry.user_id = gone.user_id and entry.video_id = gone.video_id)
  and    not exists (select from deleted_videos kept where kept.user_id = gone.user_id and kept.video_id = gone.video_id);
  return null;
end
$$;
create trigger video_entries_playlists after delete on video_entries
  referencing old table as gone for each statement execute function leave_playlists();
create trigger deleted_videos_playlists after delete on deleted_videos
  referencing old table as gone for each statement execute function leave_playlists();
