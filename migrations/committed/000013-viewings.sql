--! Previous: sha1:d14508817ed29485f20e9ae09f242dfdadb5f9de
--! Hash: sha1:94ccd75d0646d179945a4c54735f4ae1681cea6b
--! Message: viewings

-- What somebody has seen, and how far they came: of a video, in however many of their channels it stands. And when they last
-- looked at what is new.
create table viewings (
  user_id          uuid not null constraint viewings_user_fkey references users (id) on delete cascade,
  video_id         text not null,
  -- Whole seconds; null: never played, or of unknown length.
  position_seconds integer constraint viewings_position check (position_seconds >= 0),
  duration_seconds integer constraint viewings_duration check (duration_seconds > 0),
  -- Null: not seen.
  seen_at          timestamptz,
  -- When it was last played; null: never.
  watched_at       timestamptz,
  -- Not to be offered for going on, until it is played again.
  dismissed_at     timestamptz,
  constraint viewings_pkey primary key (user_id, video_id)
);
create index viewings_unfinished_idx on viewings (user_id, watched_at desc)
where seen_at is null and dismissed_at is null and position_seconds > 0;

alter table users
  -- The last look at what is new; and up to where everything was old then.
  add column looked_at timestamptz,
  add column new_since timestamptz;
