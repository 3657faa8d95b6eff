--! Previous: sha1:3c616d204f35bcf883dfbb0624585d29ef77556c
--! Hash: sha1:d94b4e5666138e818614cd65b63a18e65726bd10
--! Message: watching

-- Watching: what a person has watched, Watch later, the page New, and the parts of videos that the player skips.
alter table users
  -- When the person last looked at the page New, and until when everything on it was old then.
  add column looked_at       timestamptz,
  add column new_since       timestamptz,
  -- What the person last limited the page New to. Null: it shows all videos.
  add column new_filter      jsonb,
  -- The kinds of parts that the player skips.
  add column skip_categories text[] not null default '{sponsor}';

alter table channels
  -- True: the player skips no parts of its videos. Null, like false: the person's choice counts.
  add column plays_whole boolean;

-- What a person did with a video, however many of their channels it is in. A row can exist before the video is in the library.
create table viewings (
  user_id          uuid        not null constraint viewings_user_fkey references users (id) on delete cascade,
  video_id         text        not null,
  -- Whole seconds. Null: never played, or of unknown length.
  position_seconds integer     constraint viewings_position check (position_seconds >= 0),
  duration_seconds integer     constraint viewings_duration check (duration_seconds > 0),
  -- Null: not watched.
  seen_at          timestamptz,
  -- When it was last played. Null: never.
  watched_at       timestamptz,
  -- When it was removed from "Continue watching", until it is played again.
  dismissed_at     timestamptz,
  -- When the mark was imported. Null: the person made it here. A rule that deletes watched files counts the days from this time, if it
  -- is the latest, so that an import of old marks deletes no file at once.
  imported_at      timestamptz,
  -- Since when it is on Watch later. Null: it is not.
  later_at         timestamptz,
  -- Since when it is dismissed with "Not for me". Null: it is not.
  not_for_me_at    timestamptz,
  constraint viewings_pkey primary key (user_id, video_id)
);
create index viewings_unfinished_idx on viewings (user_id, watched_at desc)
where seen_at is null and dismissed_at is null and position_seconds > 0;
create index viewings_later_idx on viewings (user_id, later_at) where later_at is not null;
create index viewings_not_for_me_idx on viewings (user_id, video_id) where not_for_me_at is not null;
-- The counts of unwatched videos read only this index, and no row of the table.
create index viewings_marked_idx on viewings (user_id, video_id) where seen_at is not null or not_for_me_at is not null;

-- What SponsorBlock says of a YouTube video. Its answer is public and the same for everyone, so it is stored once per video.
create table video_segments (
  -- The id of the video at YouTube.
  youtube_id text        not null,
  segments   jsonb       not null,
  fetched_at timestamptz not null default now(),
  constraint video_segments_pkey primary key (youtube_id)
);
create index video_segments_fetched on video_segments (fetched_at);
