--! Previous: sha1:d5652d832670b1eb30d5c2136a1cba2a33605f55
--! Hash: sha1:2e665db2005b4cfe9d3a18affd38bbf60a95e050
--! Message: rule-playlists

-- A rule may name a playlist, which gets the videos that the rule requests.
alter table channel_rules
  -- Without a foreign key, because the bin and `default_rule` keep rules too. A playlist that is gone or deleted counts as null.
  add column playlist_id uuid;

create or replace function use_default_rule() returns trigger language plpgsql as $$
begin
  insert into channel_rules (
    user_id, channel_id, on_since, title_words, without_words, title_pattern, skip_shorts, min_seconds, max_seconds, live,
    include_older, also_days, also_since, most_per_day, keep_newest, keep_days, delete_watched_days, keep_newest_watched,
    playlist_id, judge_from, judge_to, apply_at)
  select new.user_id, new.channel_id, now(), rule.title_words, rule.without_words, rule.title_pattern, rule.skip_shorts,
         rule.min_seconds, rule.max_seconds, rule.live, rule.include_older, rule.also_days,
         now() - rule.also_days * interval '1 day', rule.most_per_day, rule.keep_newest, rule.keep_days,
         rule.delete_watched_days, rule.keep_newest_watched, rule.playlist_id, 'infinity', '-infinity', now()
  from   users,
         jsonb_to_record(default_rule) as rule (
           auto_download boolean, title_words text[], without_words text[], title_pattern text, skip_shorts boolean,
           min_seconds int, max_seconds int, live text, include_older boolean, also_days int, most_per_day int,
           keep_newest int, keep_days int, delete_watched_days int, keep_newest_watched int, playlist_id uuid)
  where  users.id = new.user_id and rule.auto_download
  on conflict do nothing;
  return null;
end
$$;
