--! Previous: sha1:b5cdab1024763e5a32c42477bd02fd4fc9839fa1
--! Hash: sha1:afff648a4ceac099928895e84a057dd8930983f6
--! Message: entry-counts

-- A channel stores how many videos it has, so that no page counts them. A trigger maintains the number for every statement that
-- adds or deletes videos, in the same transaction. A video never changes its channel. Counting a million videos takes about
-- 3 seconds and the index 2 seconds. During that time nothing else can read or write channels, or write videos.
alter table channels
  add column entry_count integer not null default 0;

create function count_entries() returns trigger language plpgsql as $$
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
create trigger video_entries_added after insert on video_entries
  referencing new table as changed_entries
  for each statement execute function count_entries();
create trigger video_entries_removed after delete on video_entries
  referencing old table as changed_entries
  for each statement execute function count_entries();

update channels channel
set    entry_count = counted.entries
from   (select   user_id, channel_id, count(*) as entries
        from     video_entries
        group by user_id, channel_id) counted
where  channel.user_id = counted.user_id and channel.channel_id = counted.channel_id;

-- How many videos of a channel have each status: few are not PENDING, and the others are the rest.
create index video_entries_status_idx on video_entries (user_id, channel_id, download_status)
where download_status <> 'PENDING';
