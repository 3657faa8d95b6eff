--! Previous: sha1:ae3227b17aa5de25dd3144010a4a00a1a3baaa51
--! Hash: sha1:de0be34692d47131a89b0ee6d0eceea090370b6c
--! Message: channel-summaries

-- Keeps of each channel what the list of channels and the column beside the pages show and sort by, because every page shows some of it.
create table channel_summaries (
  user_id      uuid        not null,
  channel_id   text        not null,
  -- The title, as `sort_name` makes it.
  sort_name    text        not null,
  -- How many videos are neither watched nor dismissed, without older ones that were loaded.
  unwatched    integer     not null default 0,
  -- The place of the newest video in the history, and its title. Null: the channel has no videos.
  newest_at    timestamptz,
  newest_title text,
  constraint channel_summaries_pkey primary key (user_id, channel_id),
  constraint channel_summaries_channel_fkey foreign key (user_id, channel_id)
    references channels (user_id, channel_id) on delete cascade
);
create index channel_summaries_sort_name_idx on channel_summaries (user_id, sort_name, channel_id);

-- Sorts titles as people do: "Part 2" before "Part 10". Numbers are compared with leading zeros, because not every Postgres has the
-- collations that compare them as numbers. An entry of an index must be short.
create function sort_name(title text) returns text language sql immutable as $$
  select regexp_replace(regexp_replace(lower(left(title, 100)), '(\d+)', '0000000000\1', 'g'), '0*(\d{10})', '\1', 'g')
$$;

create function summarise_title() returns trigger language plpgsql as $$
begin
  insert into channel_summaries (user_id, channel_id, sort_name)
  values (new.user_id, new.channel_id, sort_name(new.title))
  on conflict on constraint channel_summaries_pkey do update
  set    sort_name = excluded.sort_name;
  return null;
end
$$;
create trigger channels_summarise_added after insert on channels
  for each row execute function summarise_title();
create trigger channels_summarise_renamed after update of title on channels
  for each row when (old.title is distinct from new.title) execute function summarise_title();

-- Notes the newest video of a channel, and that so many more are unwatched.
create function summarise_channel(owner uuid, channel text, more_unwatched bigint) returns void language plpgsql as $$
begin
  -- So the next statement sees what another transaction has changed in the channel.
  perform from channel_summaries where user_id = owner and channel_id = channel for no key update;
  update channel_summaries known
  set    unwatched = known.unwatched + more_unwatched, newest_at = newest.sort_at, newest_title = newest.title
  from   (select 1) one
  left join lateral (
    select   sort_at, title
    from     video_entries
    where    user_id = owner and channel_id = channel
    order by sort_at desc, id desc
    limit    1) newest on true
  where  known.user_id = owner and known.channel_id = channel;
end
$$;

-- Videos were added or deleted. The statement has locked their channels before.
create function summarise_entries() returns trigger language plpgsql as $$
begin
  -- A statement that marks a video which another channel has too does not see the new row, and this one does not see the mark. So one of
  -- them waits for the other. These locks are the last but those of summaries, so no one waits in a circle.
  if tg_op = 'INSERT' then
    perform  pg_advisory_xact_lock_shared(hashtextextended('marks:' || user_id, 0))
    from     (select   distinct user_id
              from     changed_entries entry
              where    exists (
                         select from video_entries twin
                         where  twin.user_id = entry.user_id and twin.video_id = entry.video_id and twin.channel_id <> entry.channel_id
                         offset 0)
              order by user_id
              offset   0) person;
  end if;
  perform summarise_channel(user_id, channel_id, case tg_op when 'INSERT' then unwatched else -unwatched end)
  from    (select   user_id, channel_id,
                    count(*) filter (where source <> 'listing' and (
                      select coalesce(seen_at, not_for_me_at)
                      from   viewings viewing
                      where  viewing.user_id = entry.user_id and viewing.video_id = entry.video_id) is null) as unwatched
           from     changed_entries entry
           group by user_id, channel_id
           order by user_id, channel_id
           offset   0) channel;
  return null;
end
$$;
create trigger video_entries_summarise_added after insert on video_entries
  referencing new table as changed_entries
  for each statement execute function summarise_entries();
create trigger video_entries_summarise_removed after delete on video_entries
  referencing old table as changed_entries
  for each statement execute function summarise_entries();

-- A video has another title or place in the history, or a feed lists a video that was loaded with older ones.
create function summarise_changed_entry() returns trigger language plpgsql as $$
begin
  perform summarise_channel(new.user_id, new.channel_id, case
    when exists (
      select from viewings
      where  user_id = new.user_id and video_id = new.video_id and (seen_at is not null or not_for_me_at is not null))
    then 0 else (old.source = 'listing')::int - (new.source = 'listing')::int end);
  return null;
end
$$;
create trigger video_entries_summarise_changed after update of title, source, sort_at, published_at, first_seen_at on video_entries
  for each row when ((old.title, old.source = 'listing', old.sort_at) is distinct from (new.title, new.source = 'listing', new.sort_at))
  execute function summarise_changed_entry();

-- Counts videos of a person that were marked, with -1, or lost their mark, with 1, in all channels that have them.
create function summarise_marks(owner uuid, videos text[], each_one integer) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('marks:' || owner, 0));
  perform summarise_channel(owner, channel_id, unwatched)
  from    (select   channel_id, count(*) * each_one as unwatched
           from     video_entries
           where    user_id = owner and video_id = any(videos) and source <> 'listing'
           group by channel_id
           order by channel_id
           offset   0) channel;
end
$$;

-- Marks were made or taken back. The statement has locked the channels of the videos before, as saves do.
create function summarise_viewings() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    perform  summarise_marks(user_id, array_agg(video_id), case when was_marked then 1 else -1 end)
    from     (select user_id, video_id, coalesce(before.seen_at, before.not_for_me_at) is not null as was_marked,
                     coalesce(later.seen_at, later.not_for_me_at) is not null              as is_marked
              from   viewings_before before
              join   viewings_after later using (user_id, video_id)) viewing
    where    was_marked <> is_marked
    group by user_id, was_marked;
  else
    perform  summarise_marks(user_id, array_agg(video_id), case tg_op when 'DELETE' then 1 else -1 end)
    from     changed_viewings
    where    seen_at is not null or not_for_me_at is not null
    group by user_id;
  end if;
  return null;
end
$$;
create trigger viewings_summarise_added after insert on viewings
  referencing new table as changed_viewings
  for each statement execute function summarise_viewings();
create trigger viewings_summarise_changed after update on viewings
  referencing old table as viewings_before new table as viewings_after
  for each statement execute function summarise_viewings();
create trigger viewings_summarise_removed after delete on viewings
  referencing old table as changed_viewings
  for each statement execute function summarise_viewings();

-- From the first trigger on, no other transaction writes these tables until this one ends.
insert into channel_summaries (user_id, channel_id, sort_name, unwatched, newest_at, newest_title)
select    user_id, channel_id, sort_name(channel.title), coalesce(unwatched, 0), newest_at, newest_title
from      channels channel
left join (select    entry.user_id, channel_id, count(*) filter (where source <> 'listing' and marked.video_id is null) as unwatched,
                     max(sort_at) as newest_at, (array_agg(title order by sort_at desc, id desc))[1] as newest_title
           from      video_entries entry
           left join (select user_id, video_id
                      from   viewings
                      where  seen_at is not null or not_for_me_at is not null) marked using (user_id, video_id)
           group by  entry.user_id, channel_id) counted using (user_id, channel_id);
