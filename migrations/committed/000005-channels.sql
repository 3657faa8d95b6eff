--! Previous: sha1:cbeab837aa2eda4825ca2aa287b332be7cdcbea3
--! Hash: sha1:1052f8fb4212bc7f4b6ded5c82fcc9592b205196
--! Message: channels

-- Channels: when the feed of each is checked, the groups that people sort channels into, and the loading of older videos.
--
-- From here on, every key of people's data includes the person, so these tables can be split by person (hash partitions, Citus).
alter table channels
  drop constraint channels_pkey,
  add constraint channels_pkey primary key (user_id, id),
  -- Null: the channel is not followed, but has videos that its person added one by one. No query about feeds finds such a channel.
  alter column rss_url drop not null,
  add column created_at       timestamptz not null default now(),
  -- Why the feed cannot be read, as a sentence, and when that was seen last. Null: it can.
  add column fetch_error      text,
  add column fetch_failed_at  timestamptz,
  -- How many checks in a row have failed, and when the first of them did. A failing feed is checked less and less often.
  add column fetch_failures   smallint    not null default 0,
  add column failing_since    timestamptz,
  -- What the site sent, and what the next request sends back, so that an unchanged feed is answered without a body.
  add column etag             text,
  add column last_modified    text,
  -- Shows that a feed is unchanged if its site sends neither.
  add column body_hash        text,
  -- The feed asks for so many minutes between two checks. Null: it names none.
  add column every_minutes    integer,
  -- Null: no check is planned.
  add column next_fetch_at    timestamptz,
  -- When the person last requested a check.
  add column refresh_asked_at timestamptz,
  -- Null: the quality of its person.
  add column quality          text
    constraint channels_quality check (quality in ('best', '2160', '1440', '1080', '720', '480', '360', 'audio')),
  -- The picture that the feed names. Null: none.
  add column image_url        text,
  -- When the picture was last taken from a listing. Null: never.
  add column pictured_at      timestamptz,
  -- The page of the channel at its site. Null: unknown.
  add column page_url         text,
  -- How many entries of the feed the last check could not read.
  add column skipped          integer     not null default 0 constraint channels_skipped check (skipped >= 0),
  -- What the last check left out, as a sentence. Null: nothing.
  add column feed_warning     text,
  -- How many videos the channel has, so that no page counts them. Triggers on `video_entries` maintain it.
  add column entry_count      integer     not null default 0,
  -- When the newest page of the listing is read next, because the feed fails or lists too little. Null: never.
  add column list_at          timestamptz,
  -- Videos published after this time may be missing from the feed. Null: the time is unknown.
  add column list_since       timestamptz,
  -- When the listing was last read in place of the feed. Null: never, or the feed works again.
  add column listed_at        timestamptz,
  add constraint channels_unfollowed_is_not_fetched check (rss_url is not null or next_fetch_at is null);

create index channels_next_fetch_at_idx on channels (next_fetch_at);
-- Finds new feeds, which have no plan yet.
create index channels_unplanned_idx on channels (rss_url) where next_fetch_at is null and rss_url is not null;
create index channels_list_idx on channels (list_at) where list_at is not null;
-- All followers of a feed. By hash, because an address may be longer than an entry of an ordered index.
create index channels_rss_url_idx on channels using hash (rss_url);
-- When a host refuses one person's feed, this finds whether other people follow feeds of that host.
create index channels_feed_host_idx on channels (lower(substring(rss_url from '^https?://(?:[^/?#]*@)?([^/?#]+)')));

-- What the feed at an address says, for all its followers. Only a check of the feed writes this table, because the rows of `channels`
-- can come from a person's archive.
create table feeds (
  rss_url    text          constraint feeds_pkey primary key,
  -- The page that the feed itself names. Null: none.
  page_url   text,
  -- When its newest videos were published, at most 15.
  posted     timestamptz[] not null,
  -- The videos that it had.
  video_ids  text[]        not null,
  -- The videos of the listing that replaces or completes the feed. Null: the listing was never read.
  listed_ids text[]
);

create table groups (
  user_id    uuid        not null constraint groups_user_fkey references users (id) on delete cascade,
  group_id   uuid        not null default gen_random_uuid(),
  name       text        not null constraint groups_name check (length(name) between 1 and 60),
  created_at timestamptz not null default now(),
  -- A deleted group keeps its channels for a day, so that the deletion can be undone. Null: it is not deleted.
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

-- The older videos of a channel are loaded in the background, which can take half an hour. The row says how far that is, so another
-- worker continues after a crash.
create table backfills (
  user_id         uuid        not null,
  channel_id      text        not null,
  state           text        not null default 'queued',
  -- The host of the listing, as in `host_pauses`. Null: unknown.
  site            text,
  -- How many entries of the listing were read, and how many of them were new.
  found           integer     not null default 0,
  saved           integer     not null default 0,
  -- The priority of its job. People take turns: a person has one unfinished backfill in each round.
  round           smallint    not null default 0,
  requested_at    timestamptz not null default now(),
  started_at      timestamptz,
  finished_at     timestamptz,
  -- Why it is incomplete, has failed, or waits, as a sentence.
  error           text,
  attempts        integer     not null default 0,
  next_attempt_at timestamptz,
  -- The id of the run. A run that lost it can write nothing.
  claim           uuid,
  heartbeat_at    timestamptz,
  constraint backfills_pkey primary key (user_id, channel_id),
  constraint backfills_channel_fkey foreign key (user_id, channel_id)
    references channels (user_id, channel_id) on delete cascade,
  constraint backfills_state check (state in ('queued', 'running', 'done', 'incomplete', 'failed', 'cancelled')),
  constraint backfills_counts check (saved >= 0 and found >= 0 and attempts >= 0),
  constraint backfills_end check ((finished_at is null) = (state in ('queued', 'running'))),
  constraint backfills_run check ((claim is not null) = (state = 'running')),
  constraint backfills_says_why check (error is not null or state not in ('incomplete', 'failed'))
);
-- Finds the round that is served, and each minute the backfills that lost their job.
create index backfills_unfinished_idx on backfills (user_id, channel_id) include (round) where state in ('queued', 'running');
