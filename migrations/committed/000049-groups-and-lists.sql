--! Previous: sha1:c4425a44bb0f781f2446c7f6e0d1118ac9cd002e
--! Hash: sha1:01e59f85e7b4d1f8a83c685e9c3180af79c9bbd2
--! Message: groups-and-lists

-- People sort their channels into groups, put videos on Watch later, and dismiss videos that are not for them. The tables start empty
-- and the new columns are null, so those take milliseconds. The index of live videos reads all videos once.
create table groups (
  user_id    uuid        not null constraint groups_user_fkey references users (id) on delete cascade,
  group_id   uuid        not null default gen_random_uuid(),
  name       text        not null constraint groups_name check (length(name) between 1 and 60),
  created_at timestamptz not null default now(),
  -- A deleted group keeps its channels for a day, so that the deletion can be undone.
  deleted_at timestamptz,
  constraint groups_pkey primary key (user_id, group_id)
);
create unique index groups_name_key on groups (user_id, lower(name)) where deleted_at is null;

-- A channel can be in several groups.
create table channel_groups (
  user_id    uuid not null,
  channel_id text not null,
  group_id   uuid not null,
  constraint channel_groups_pkey primary key (user_id, channel_id, group_id),
  constraint channel_groups_channel_fkey foreign key (user_id, channel_id)
    references channels (user_id, channel_id) on delete cascade,
  constraint channel_groups_group_fkey foreign key (user_id, group_id)
    references groups (user_id, group_id) on delete cascade
);
create index channel_groups_group_idx on channel_groups (user_id, group_id, channel_id);

-- The groups of an unfollowed channel.
alter table deleted_channels add column group_ids uuid[] not null default '{}';

alter table viewings
  -- Since when it is on Watch later; null: it is not.
  add column later_at      timestamptz,
  -- Since when it is dismissed with "Not for me"; null: it is not.
  add column not_for_me_at timestamptz;
create index viewings_later_idx on viewings (user_id, later_at) where later_at is not null;
create index viewings_not_for_me_idx on viewings (user_id, video_id) where not_for_me_at is not null;

create index video_entries_live_idx on video_entries (user_id, sort_at desc, id desc)
where live_status in ('upcoming', 'live', 'was_live');
