--! Previous: sha1:6c4a7b1b4d3e4dfbc422f67de6dac342fcc2b690
--! Hash: sha1:e79f2e23753eab462a8eb0871051a79d7248211a
--! Message: better-rules

-- Rules get more conditions, a limit per day, and an end for watched files; a person gets a default rule for new channels. A rule
-- also stores what it still has to judge, as one range of places in the history, so that no refresh reads old videos again. Only the
-- index of kept files is built anew, from the few videos that a rule requested: about a second for a million videos.
alter table channel_rules
  add column min_seconds         integer  constraint channel_rules_min_seconds check (min_seconds > 0),
  add column max_seconds         integer  constraint channel_rules_max_seconds check (max_seconds > 0),
  -- Recordings of live streams: with the others, only these, or all but these.
  add column live                text     not null default 'any'
    constraint channel_rules_live check (live in ('any', 'only', 'none')),
  -- Whether videos that were there before `on_since` count too, and those that loading older videos brought.
  add column include_older       boolean  not null default false,
  add column also_days           smallint constraint channel_rules_also_days check (also_days > 0),
  -- `also_days` before the rule was turned on. Null: no limit, or none of the days before.
  add column also_since          timestamptz,
  add column most_per_day        smallint constraint channel_rules_most_per_day check (most_per_day > 0),
  add column delete_watched_days smallint constraint channel_rules_delete_watched_days check (delete_watched_days > 0),
  add column keep_newest_watched smallint constraint channel_rules_keep_newest_watched check (keep_newest_watched > 0),
  -- How many downloads the rule requested on which day (UTC).
  add column requested_on        date,
  add column requested_count     smallint not null default 0,
  -- Videos with `judge_to <= sort_at < judge_from` are still to be judged. Null: none.
  add column judge_from          timestamptz,
  add column judge_to            timestamptz,
  -- When to judge next without a refresh. Null: at the next refresh, if there is something to judge.
  add column apply_at            timestamptz,
  -- Changes with the rule and with that range, so that a slow judgement does not undo a change.
  add column revision            integer  not null default 0;
update channel_rules
set    judge_from = 'infinity', judge_to = '-infinity'
where  on_since is not null;
create index channel_rules_apply_at_idx on channel_rules (apply_at) where apply_at is not null;

alter table users
  -- The rule that a channel gets when it is followed, as in the API. Null: none.
  add column default_rule jsonb;

-- What a rule has requested, and is not gone: what counts for `keep_newest`, and what a rule may delete.
drop index video_entries_kept_by_rule_idx;
create index video_entries_kept_by_rule_idx on video_entries (user_id, channel_id, sort_at desc, id desc)
where download_asked_by = 'rule' and standing is not null;

-- Extends the range that a rule has to judge.
create function judge_later(owner uuid, channel text, oldest timestamptz, newest timestamptz) returns void language sql as $$
  update channel_rules
  set    judge_from = greatest(judge_from, newest + interval '1 microsecond'),
         judge_to   = least(judge_to, oldest),
         apply_at   = least(apply_at, now()),
         revision   = revision + 1
  where  user_id = owner and channel_id = channel and on_since is not null
$$;

-- New videos are to be judged. The trigger for the number of videos has grouped them by channel already.
create or replace function count_entries() returns trigger language plpgsql as $$
declare
  changed record;
begin
  -- One channel after another, because the planner would read all channels for a join. In order, against deadlocks.
  for changed in
    select   user_id, channel_id, case tg_op when 'INSERT' then count(*) else -count(*) end as entries,
             min(sort_at) as oldest, max(sort_at) as newest
    from     changed_entries
    group by user_id, channel_id
    order by user_id, channel_id
  loop
    update channels
    set    entry_count = entry_count + changed.entries
    where  user_id = changed.user_id and channel_id = changed.channel_id;
    if tg_op = 'INSERT' then
      perform judge_later(changed.user_id, changed.channel_id, changed.oldest, changed.newest);
    end if;
  end loop;
  return null;
end
$$;

-- A video that was rejected, or waits for its length or to open, is judged again when what is known of it changes.
create function judge_changed_entry() returns trigger language plpgsql as $$
begin
  perform judge_later(new.user_id, new.channel_id, new.sort_at, new.sort_at);
  return null;
end
$$;
create trigger video_entries_judge_changed
  after update of title, video_url, published_at, duration_seconds, live_status, availability, source on video_entries
  for each row when (
    new.download_asked_by is null
    and (new.title, new.video_url, new.sort_at, new.duration_seconds, new.live_status, new.availability, new.source)
        is distinct from
        (old.title, old.video_url, old.sort_at, old.duration_seconds, old.live_status, old.availability, old.source))
  execute function judge_changed_entry();

-- A channel that is followed gets its person's default rule, in the same transaction, however it is followed.
create function use_default_rule() returns trigger language plpgsql as $$
begin
  insert into channel_rules (
    user_id, channel_id, on_since, title_words, without_words, title_pattern, skip_shorts, min_seconds, max_seconds, live,
    include_older, also_days, also_since, most_per_day, keep_newest, keep_days, delete_watched_days, keep_newest_watched,
    judge_from, judge_to, apply_at)
  select new.user_id, new.channel_id, now(), rule.title_words, rule.without_words, rule.title_pattern, rule.skip_shorts,
         rule.min_seconds, rule.max_seconds, rule.live, rule.include_older, rule.also_days,
         now() - rule.also_days * interval '1 day', rule.most_per_day, rule.keep_newest, rule.keep_days,
         rule.delete_watched_days, rule.keep_newest_watched, 'infinity', '-infinity', now()
  from   users,
         jsonb_to_record(default_rule) as rule (
           auto_download boolean, title_words text[], without_words text[], title_pattern text, skip_shorts boolean,
           min_seconds int, max_seconds int, live text, include_older boolean, also_days int, most_per_day int,
           keep_newest int, keep_days int, delete_watched_days int, keep_newest_watched int)
  where  users.id = new.user_id and rule.auto_download
  on conflict do nothing;
  return null;
end
$$;
create trigger channels_followed after insert on channels
  for each row when (new.rss_url is not null)
  execute function use_default_rule();
create trigger channels_followed_later after update of rss_url on channels
  for each row when (old.rss_url is null and new.rss_url is not null)
  execute function use_default_rule();
