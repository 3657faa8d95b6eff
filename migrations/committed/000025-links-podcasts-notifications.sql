--! Previous: sha1:805dc7225dd4cdd964b72c2b5e56703b5e8df5bc
--! Hash: sha1:8a1acb9a9a939783d77a3192de19ed221eaa57f7
--! Message: links-podcasts-notifications

-- Addresses that need no sign-in, podcast feeds, and messages about what has happened.

-- A podcast of videos on disk.
create table podcast_feeds (
  user_id     uuid        not null constraint podcast_feeds_user_id_fkey references users (id) on delete cascade,
  feed_id     uuid        not null default gen_random_uuid(),
  -- What it lists: exactly one of these four.
  channel_id  bigint,
  group_id    uuid,
  playlist_id uuid,
  list        text        constraint podcast_feeds_list check (list in ('all', 'new', 'later')),
  kind        text        not null constraint podcast_feeds_kind check (kind in ('video', 'audio')),
  -- How many episodes it has at most.
  newest      smallint    not null default 50 constraint podcast_feeds_newest check (newest between 1 and 500),
  created_at  timestamptz not null default now(),
  constraint podcast_feeds_pkey primary key (user_id, feed_id),
  constraint podcast_feeds_subject check (num_nonnulls(channel_id, group_id, playlist_id, list) = 1),
  constraint podcast_feeds_channel_fkey foreign key (user_id, channel_id) references channels (user_id, id) on delete cascade,
  constraint podcast_feeds_group_fkey foreign key (user_id, group_id) references groups (user_id, group_id) on delete cascade,
  constraint podcast_feeds_playlist_fkey foreign key (user_id, playlist_id) references playlists (user_id, playlist_id) on delete cascade
);
create index podcast_feeds_channel_idx on podcast_feeds (user_id, channel_id) where channel_id is not null;
create index podcast_feeds_group_idx on podcast_feeds (user_id, group_id) where group_id is not null;
create index podcast_feeds_playlist_idx on podcast_feeds (user_id, playlist_id) where playlist_id is not null;

-- Addresses that carry their right. The secret in the address is shown once, and stored nowhere.
create table links (
  link_id      uuid        default gen_random_uuid() constraint links_pkey primary key,
  user_id      uuid        not null constraint links_user_id_fkey references users (id) on delete cascade,
  hash         text        not null constraint links_hash_key unique,
  kind         text        not null constraint links_kind check (kind in ('play', 'share', 'feed')),
  -- What it opens: the file of a video while it is on disk, or a podcast. Without foreign keys, because a link opens nothing by itself.
  video_id     text,
  feed_id      uuid,
  created_at   timestamptz not null default now(),
  -- To the minute. Null: never.
  last_used_at timestamptz,
  -- Null: the link is valid until it is revoked.
  expires_at   timestamptz,
  constraint links_subject check (num_nonnulls(video_id, feed_id) = 1 and (kind = 'feed') = (feed_id is not null))
);
create index links_user_idx on links (user_id, created_at desc);
create index links_feed_idx on links (feed_id) where feed_id is not null;

-- New videos of these channels, and of the channels of these groups, are told.
alter table channels add column bell boolean not null default false;
alter table groups add column bell boolean not null default false;

-- When a person wants no message, and how many they want at most.
alter table users
  -- Both or none. From the later time of day to the earlier one: over midnight.
  add column quiet_from time,
  add column quiet_to time,
  -- A name of the time zone database.
  add column time_zone text not null default 'UTC',
  add column messages_a_day smallint not null default 50;

-- Where a person wants to be told.
create table notification_targets (
  user_id      uuid        not null constraint notification_targets_user_id_fkey references users (id) on delete cascade,
  target_id    uuid        not null default gen_random_uuid(),
  kind         text        not null constraint notification_targets_kind check (kind in ('webhook', 'ntfy', 'apprise', 'mail', 'browser')),
  -- Of the hook, the topic or the mailbox; of a browser: the address that its push service gave.
  address      text        not null,
  -- Webhook: signs; ntfy: the access token; mail: ends the mails; browser: its keys as JSON. Null: none.
  secret       text,
  events       text[]      not null,
  created_at   timestamptz not null default now(),
  delivered_at timestamptz,
  -- What went wrong with the latest message, in words. Null: nothing.
  fault        text,
  constraint notification_targets_pkey primary key (user_id, target_id),
  constraint notification_targets_address_key unique (user_id, kind, address)
);

-- The outbox: what has happened and is in no message yet. Written in the transaction in which it happens.
create table notifications (
  user_id         uuid        not null constraint notifications_user_id_fkey references users (id) on delete cascade,
  notification_id bigint      not null generated always as identity,
  event           text        not null constraint notifications_event
                              check (event in ('new_video', 'download_completed', 'download_failed', 'space', 'service')),
  channel_id      bigint,
  -- The newest first, and at most 500.
  video_ids       text[]      not null default '{}',
  -- How many videos, with those that are not in the list.
  videos          integer     not null default 0,
  -- What else the message says. Its form depends on the event.
  details         jsonb,
  created_at      timestamptz not null default now(),
  constraint notifications_pkey primary key (user_id, notification_id)
);

-- What is sent to one target. Its id stays the same when it is sent again.
create table messages (
  user_id      uuid        not null,
  message_id   uuid        not null default gen_random_uuid(),
  target_id    uuid        not null,
  event        text        not null,
  body         jsonb       not null,
  created_at   timestamptz not null default now(),
  attempts     smallint    not null default 0,
  -- Null: it is delivered or given up.
  next_at      timestamptz default now(),
  constraint messages_pkey primary key (user_id, message_id),
  constraint messages_target_fkey foreign key (user_id, target_id)
    references notification_targets (user_id, target_id) on delete cascade
);
create index messages_target_idx on messages (user_id, target_id);

-- With these keys the service identifies itself to the push services of browsers. One row.
create table web_push_keys (
  public_key  text        not null constraint web_push_keys_pkey primary key,
  private_key text        not null,
  created_at  timestamptz not null default now()
);
create unique index web_push_keys_one_idx on web_push_keys ((true));

-- What administrators have been told of the service, and is still so.
create table service_notices (
  notice text        constraint service_notices_pkey primary key,
  since  timestamptz not null default now()
);
