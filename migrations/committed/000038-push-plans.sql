--! Previous: sha1:650ead7f484fa5c40f13b9c51a088b2fc698a63f
--! Hash: sha1:4f981e0e4ec38788423d927971790363b046a1da
--! Message: push-plans

-- Housekeeping plans the requests to hubs every minute, and read the whole table of subscriptions for it. Each of these indexes has the few
-- rows of one question, or answers it from its first and last row. A subscription also counts the checks that found nothing although
-- its hub announced something, so that a hub that announces nothing new causes fewer and fewer checks. New channels and subscriptions
-- are found without reading the channels that are not followed. At a million channels the last index takes about half a second, during
-- which channels can be read but not written; the table of subscriptions is as large as the number of followed feeds at most.
alter table push_subscriptions add column fruitless int not null default 0;
create index push_subscriptions_lease_idx on push_subscriptions (lease_until) where state = 'active';
create index push_subscriptions_slowed_idx on push_subscriptions (push_id) where state <> 'active' and streak > 0;
create index push_subscriptions_ending_idx on push_subscriptions (push_id) where state = 'ending';
create index push_subscriptions_hub_idx on push_subscriptions (hub);
-- The callback without the id, which has 32 characters.
create index push_subscriptions_callbacks_idx on push_subscriptions (left(callback, -32));
create index channels_unplanned_idx on channels (rss_url) where next_fetch_at is null and rss_url is not null;
