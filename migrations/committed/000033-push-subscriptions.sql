--! Previous: sha1:c869dc20cf63a8ad4535551091743180e52920e6
--! Hash: sha1:4bcf5c5a9bc4d0e0f58b497bf1ca6b53c8825d94
--! Message: push-subscriptions

-- Hubs announce new videos (WebSub). One row for each feed that is followed and has a hub, for all its followers; no row says who they
-- are. A new table that is filled by the checks of feeds, so at a million videos it costs nothing.
create table push_subscriptions (
  -- The unguessable end of the callback's address.
  push_id         text        primary key,
  rss_url         text        not null constraint push_subscriptions_feed_key unique check (octet_length(rss_url) <= 2048),
  hub             text        not null check (octet_length(hub) <= 2048),
  -- The name of the feed at the hub.
  topic           text        not null check (octet_length(topic) <= 2048),
  -- The hub signs what it sends with it.
  secret          text        not null,
  -- `failed`: the last request was refused, or the lease has ended. `ending`: the hub is asked to stop.
  state           text        not null default 'pending'
                              check (state in ('pending', 'active', 'denied', 'failed', 'ending')),
  -- The callback's address in the last request to the hub; null: no request was sent.
  callback        text,
  requested_at    timestamptz,
  -- Requests since the last one that the hub confirmed.
  failures        int         not null default 0,
  next_attempt_at timestamptz not null default now(),
  -- Since when the hub announces without a gap.
  active_since    timestamptz,
  lease_until     timestamptz,
  last_push_at    timestamptz,
  -- When the feed is checked because of a push; null: it has been checked.
  check_at        timestamptz,
  last_check_at   timestamptz,
  -- Further checks after one that found nothing new.
  rechecks        int         not null default 0,
  -- How many checks found new videos because of a push, and how many found videos that no push had announced.
  pushed_first    int         not null default 0,
  polled_first    int         not null default 0,
  -- The former since the latter.
  streak          int         not null default 0
);
create index push_subscriptions_next_attempt_idx on push_subscriptions (next_attempt_at);
create index push_subscriptions_check_idx on push_subscriptions (check_at) where check_at is not null;
