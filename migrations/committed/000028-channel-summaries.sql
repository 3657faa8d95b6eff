--! Previous: sha1:ae3227b17aa5de25dd3144010a4a00a1a3baaa51
--! Hash: sha1:990a5c95e1a040686c8e31c611414d861bde27d1
--! Message: channel-summaries

-- Keeps of each channel what the list of channels and the column beside the pages show and sort by, because every page shows some of it.
-- A statement that changes some of it only notes the change, which waits for no other transaction. A page brings the summaries up to date
-- before it reads them: it counts again in the changed channels.
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

-- Changes since the summaries were made: of a channel, or of the mark of a video in all channels that have it.
create table channel_changes (
  id         bigint generated always as identity,
  user_id    uuid not null,
  channel_id text,
  video_id   text,
  constraint channel_changes_pkey primary key (user_id, id)
);

create function note_changed_channel() returns trigger language plpgsql as $$
begin
  insert into channel_changes (user_id, channel_id) values (new.user_id, new.channel_id);
  return null;
end
$$;
create trigger channels_note_added after insert on channels
  for each row execute function note_changed_channel();
create trigger channels_note_renamed after update of title on channels
  for each row when (old.title is distinct from new.title) execute function note_changed_channel();
create trigger video_entries_note_changed after update of title, source, sort_at, published_at, first_seen_at on video_entries
  for each row when ((old.title, old.source = 'listing', old.sort_at) is distinct from (new.title, new.source = 'listing', new.sort_at))
  execute function note_changed_channel();

-- Of a person who is deleted, nothing is noted.
create function note_changed_entries() returns trigger language plpgsql as $$
begin
  insert into channel_changes (user_id, channel_id)
  select distinct user_id, channel_id
  from   changed_entries
  where  exists (select from users where id = user_id);
  return null;
end
$$;
create trigger video_entries_note_added after insert on video_entries
  referencing new table as changed_entries
  for each statement execute function note_changed_entries();
create trigger video_entries_note_removed after delete on video_entries
  referencing old table as changed_entries
  for each statement execute function note_changed_entries();

create function note_changed_marks() returns trigger language plpgsql as $$
begin
  insert into channel_changes (user_id, video_id)
  select user_id, video_id
  from   changed_viewings
  where  (seen_at is not null or not_for_me_at is not null) and exists (select from users where id = user_id);
  return null;
end
$$;
create trigger viewings_note_added after insert on viewings
  referencing new table as changed_viewings
  for each statement execute function note_changed_marks();
create trigger viewings_note_removed after delete on viewings
  referencing old table as changed_viewings
  for each statement execute function note_changed_marks();

create function note_changed_mark() returns trigger language plpgsql as $$
begin
  insert into channel_changes (user_id, video_id) values (new.user_id, new.video_id);
  return null;
end
$$;
create trigger viewings_note_changed after update of seen_at, not_for_me_at on viewings
  for each row when ((coalesce(old.seen_at, old.not_for_me_at) is null) <> (coalesce(new.seen_at, new.not_for_me_at) is null))
  execute function note_changed_mark();

create function forget_channel_changes() returns trigger language plpgsql as $$
begin
  delete from channel_changes where user_id = old.id;
  return null;
end
$$;
create trigger users_forget_channel_changes after delete on users
  for each row execute function forget_channel_changes();

-- Brings the summaries of a person up to date. Planned at each call, because a plan for one changed channel does not suit hundreds.
create function keep_channel_summaries(owner uuid) returns void language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
  videos  text[];
  changed text[];
  present text[];
begin
  if not exists (select from channel_changes where user_id = owner) then
    return;
  end if;
  -- One at a time for each person: the last to write has then counted last.
  perform pg_advisory_xact_lock(hashtextextended('summaries:' || owner, 0));
  with taken as (delete from channel_changes where user_id = owner returning channel_id, video_id)
  select array_agg(distinct channel_id) filter (where channel_id is not null),
         array_agg(distinct video_id) filter (where video_id is not null)
  into   changed, videos
  from   taken;
  changed := case
    when cardinality(videos) > 100 then array(select channel_id from channels where user_id = owner)
    else coalesce(changed, '{}') || array(select channel_id from video_entries where user_id = owner and video_id = any(videos))
  end;
  -- A channel that is being deleted is left to the next call: to wait for it could be to wait in a circle.
  present := array(
    select channel_id from channels where user_id = owner and channel_id = any(changed) for key share skip locked);
  insert into channel_changes (user_id, channel_id)
  select user_id, channel_id
  from   channels
  where  user_id = owner and channel_id = any(changed) and not channel_id = any(present);

  insert into channel_summaries (user_id, channel_id, sort_name, unwatched, newest_at, newest_title)
  select    owner, channel_id, sort_name(channel.title), coalesce(counted.unwatched, 0), newest.sort_at, newest.title
  from      channels channel
  left join (select    channel_id, count(*) as unwatched
             from      video_entries entry
             left join viewings using (user_id, video_id)
             where     user_id = owner and channel_id = any(present) and source <> 'listing'
             and       coalesce(seen_at, not_for_me_at) is null
             group by  channel_id) counted using (channel_id)
  left join lateral (
             select   sort_at, title
             from     video_entries entry
             where    entry.user_id = owner and entry.channel_id = channel.channel_id
             order by sort_at desc, id desc
             limit    1) newest on true
  where     user_id = owner and channel_id = any(present)
  on conflict on constraint channel_summaries_pkey do update
  set       sort_name = excluded.sort_name, unwatched = excluded.unwatched, newest_at = excluded.newest_at,
            newest_title = excluded.newest_title;
end
$$;

insert into channel_changes (user_id, channel_id) select user_id, channel_id from channels;
