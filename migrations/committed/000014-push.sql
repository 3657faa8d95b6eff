--! Previous: sha1:ed1be6b3bee73edf20dfb8c6a625934c216f1667
--! Hash: sha1:b27fbd7eeb6105eb4f8ad3148f10693ee67483fe
--! Message: push

-- Push: hubs announce new videos (WebSub). A followed feed that has a hub has one row for all its followers. No row says who they are.
create table push_subscriptions (
  -- The unguessable end of the callback's address.
  push_id         text        constraint push_subscriptions_pkey primary key,
  rss_url         text        not null constraint push_subscriptions_feed_key unique
                              constraint push_subscriptions_rss_url_check check (octet_length(rss_url) <= 2048),
  hub             text        not null constraint push_subscriptions_hub_check check (octet_length(hub) <= 2048),
  -- The name of the feed at the hub.
  topic           text        not null constraint push_subscriptions_topic_check check (octet_length(topic) <= 2048),
  -- The hub signs with it what it sends.
  secret          text        not null,
  -- `failed`: the last request was refused, or the lease has ended. `ending`: the hub is asked to stop.
  state           text        not null default 'pending'
    constraint push_subscriptions_state_check check (state in ('pending', 'active', 'denied', 'failed', 'ending')),
  -- The callback's address in the last request to the hub. Null: no request was sent.
  callback        text,
  requested_at    timestamptz,
  -- Requests since the last one that the hub confirmed.
  failures        integer     not null default 0,
  next_attempt_at timestamptz not null default now(),
  -- Since when the hub announces without a gap.
  active_since    timestamptz,
  lease_until     timestamptz,
  last_push_at    timestamptz,
  -- When the feed is checked because of a push. Null: it has been checked.
  check_at        timestamptz,
  last_check_at   timestamptz,
  -- Further checks after one that found nothing new.
  rechecks        integer     not null default 0,
  -- How many checks found new videos because of a push, and how many found videos that no push had announced.
  pushed_first    integer     not null default 0,
  polled_first    integer     not null default 0,
  -- How many checks found new videos because of a push since one found videos that no push had announced.
  streak          integer     not null default 0,
  -- How many checks found nothing although the hub announced something. The more there are, the fewer checks the hub causes.
  fruitless       integer     not null default 0
);
create index push_subscriptions_next_attempt_idx on push_subscriptions (next_attempt_at);
create index push_subscriptions_check_idx on push_subscriptions (check_at) where check_at is not null;

-- Housekeeping plans requests to hubs every minute. Each of these indexes has the few rows of one of its questions, or answers the
-- question from its first and last row.
create index push_subscriptions_lease_idx on push_subscriptions (lease_until) where state = 'active';
create index push_subscriptions_slowed_idx on push_subscriptions (push_id) where state <> 'active' and streak > 0;
create index push_subscriptions_ending_idx on push_subscriptions (push_id) where state = 'ending';
create index push_subscriptions_hub_idx on push_subscriptions (hub);
-- The callback without the id, which has 32 characters.
create index push_subscriptions_callbacks_idx on push_subscriptions (left(callback, -32));
