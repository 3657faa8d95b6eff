--! Previous: sha1:d94b4e5666138e818614cd65b63a18e65726bd10
--! Hash: sha1:72814975a20ec89f6385df6c46857125cf80d46c
--! Message: rules

-- Rules: which new videos of a channel are downloaded without a press, and how long their files stay.
alter table users
  -- The rule that a channel gets when it is followed, as in the API. Null: none.
  add column default_rule jsonb;

alter table video_entries
  -- No rule deletes the file.
  add column pinned boolean not null default false;
-- The files that rules requested, on disk or still to come: they count for `keep_newest`, and a rule may delete them.
create index video_entries_kept_by_rule_idx on video_entries (user_id, channel_id, sort_at desc, id desc)
where download_asked_by = 'rule' and standing is not null;

create table channel_rules (
  user_id             uuid        not null,
  channel_id          text        not null,
  -- Null: off. Only what was first seen after this time is requested, unless the rule includes more.
  on_since            timestamptz,
  -- A title must have one of these words and none of those. Empty: every title fits.
  title_words         text[]      not null default '{}',
  without_words       text[]      not null default '{}',
  title_pattern       text,
  skip_shorts         boolean     not null default false,
  min_seconds         integer     constraint channel_rules_min_seconds check (min_seconds > 0),
  max_seconds         integer     constraint channel_rules_max_seconds check (max_seconds > 0),
  -- Recordings of live streams: with the others, only these, or all but these.
  live                text        not null default 'any' constraint channel_rules_live check (live in ('any', 'only', 'none')),
  -- Videos from before `on_since` count too, and those that "Load older videos" finds. With `also_days`, only as far back.
  include_older       boolean     not null default false,
  -- Videos of so many days before the rule was turned on count too. Null: no limit with `include_older`, and none without it.
  also_days           smallint    constraint channel_rules_also_days check (also_days > 0),
  -- The time `also_days` before the rule was turned on. Null: no limit, or none of the days before.
  also_since          timestamptz,
  most_per_day        smallint    constraint channel_rules_most_per_day check (most_per_day > 0),
  -- How many files stay, and for how many days. Null: all, and always.
  keep_newest         smallint    constraint channel_rules_keep_newest check (keep_newest > 0),
  keep_days           smallint    constraint channel_rules_keep_days check (keep_days > 0),
  -- After how many days a watched file is deleted, and how many of the newest watched files stay. Null: never, and none.
  delete_watched_days smallint    constraint channel_rules_delete_watched_days check (delete_watched_days > 0),
  keep_newest_watched smallint    constraint channel_rules_keep_newest_watched check (keep_newest_watched > 0),
  -- How many downloads the rule requested on which day (UTC).
  requested_on        date,
  requested_count     smallint    not null default 0,
  -- Videos with `judge_to <= sort_at < judge_from` are still to be judged, so that no check reads old videos again. Null: none.
  judge_from          timestamptz,
  judge_to            timestamptz,
  -- When to judge next without a check of the feed. Null: after the next check, if there is something to judge.
  apply_at            timestamptz,
  -- Changes with the rule and with that range, so that a slow judgement does not undo a change.
  revision            integer     not null default 0,
  constraint channel_rules_pkey primary key (user_id, channel_id),
  constraint channel_rules_channel_fkey foreign key (user_id, channel_id)
    references channels (user_id, channel_id) on delete cascade
);
create index channel_rules_apply_at_idx on channel_rules (apply_at) where apply_at is not null;

-- While a site fails a person's rules, or the disk is full, one download tries at `next_probe_at` and the others wait for it.
create table rule_holds (
  user_id       uuid        not null constraint rule_holds_user_fkey references users (id) on delete cascade,
  -- Empty: everything that the person's rules requested.
  host          text        not null,
  reason        text        not null,
  -- How many downloads in a row have failed.
  failures      smallint    not null,
  next_probe_at timestamptz not null,
  constraint rule_holds_pkey primary key (user_id, host)
);

-- Extends the range that a rule has to judge.
create function judge_later(owner uuid, channel text, oldest timestamptz, newest timestamptz) returns void language sql as $$
  update channel_rules
  set    judge_from = greatest(judge_from, newest + interval '1 microsecond'),
         judge_to   = least(judge_to, oldest),
         apply_at   = least(apply_at, now()),
         revision   = revision + 1
  where  user_id = owner and channel_id = channel and on_since is not null
$$;

-- Counts the videos of each channel, in the transaction that adds or deletes them, and has the rules judge new ones. A video never
-- changes its channel.
create function count_entries() returns trigger language plpgsql as $$
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
create trigger video_entries_added after insert on video_entries
  referencing new table as changed_entries
  for each statement execute function count_entries();
create trigger video_entries_removed after delete on video_entries
  referencing old table as changed_entries
  for each statement execute function count_entries();

update channels
set    entry_count = counted.entries
from   (select   user_id, channel_id, count(*) as entries
        from     video_entries
        group by user_id, channel_id) counted
where  (channels.user_id, channels.channel_id) = (counted.user_id, counted.channel_id);

-- Judges a video again when what is known of it changes: it may have been rejected, or have waited for its length or to open.
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

-- Gives a channel the default rule of its person, in the transaction that follows it, however it is followed.
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
