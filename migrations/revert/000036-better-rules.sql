drop trigger channels_followed_later on channels;
drop trigger channels_followed on channels;
drop function use_default_rule;
drop trigger video_entries_judge_changed on video_entries;
drop function judge_changed_entry;

create or replace function count_entries() returns trigger language plpgsql as $$
declare
  changed record;
begin
  -- One channel after another, because the planner would read all channels for a join. In order, against deadlocks.
  for changed in
    select   user_id, channel_id, case tg_op when 'INSERT' then count(*) else -count(*) end as entries
    from     changed_entries
    group by user_id, channel_id
    order by user_id, channel_id
  loop
    update channels
    set    entry_count = entry_count + changed.entries
    where  user_id = changed.user_id and channel_id = changed.channel_id;
  end loop;
  return null;
end
$$;
drop function judge_later;

drop index video_entries_kept_by_rule_idx;
create index video_entries_kept_by_rule_idx on video_entries (user_id, channel_id, sort_at desc)
where download_asked_by = 'rule' and download_status = 'COMPLETED';

alter table users
  drop column default_rule;
drop index channel_rules_apply_at_idx;
alter table channel_rules
  drop column min_seconds,
  drop column max_seconds,
  drop column live,
  drop column include_older,
  drop column also_days,
  drop column also_since,
  drop column most_per_day,
  drop column delete_watched_days,
  drop column keep_newest_watched,
  drop column requested_on,
  drop column requested_count,
  drop column judge_from,
  drop column judge_to,
  drop column apply_at,
  drop column revision;
