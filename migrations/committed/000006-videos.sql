--! Previous: sha1:1052f8fb4212bc7f4b6ded5c82fcc9592b205196
--! Hash: sha1:e7648f1b99d052354a4a038dc559a564bdc3ccf5
--! Message: videos

-- Videos: their place in the history, how a video is recognised when its feed changes, what is known of it, and the stored pictures.
alter table video_entries
  drop constraint video_entries_pkey,
  drop constraint video_entries_video_key,
  add constraint video_entries_pkey primary key (user_id, id),
  -- In this order, the index also finds all rows of a video that is in several channels of a person.
  add constraint video_entries_video_key unique (user_id, video_id, channel_id),
  add column first_seen_at       timestamptz not null default now(),
  -- The place in the history. A video with a future date, or with none, has the time at which it was first seen. A save gives an older
  -- video without a date a place next to the video that is listed before it.
  add column sort_at             timestamptz,
  -- What the feed calls the video, which recognises it when its address changes. Null: the platform's identifier does that better, or the
  -- feed has no such name.
  add column guid                text,
  -- Made from the present address, as `video_id` is made from the first one. Null: the address has not changed.
  add column moved_id            text,
  -- `www.` and `m.` are the same site.
  add column video_host          text
    generated always as (
      substring(lower(video_url) from '^https?://(?:[^/?#\\]*@)?(?:www\.|m\.)?(\[[^]/?#]*\]|[^/?#:@\\]+)')) stored,
  -- Facts that feeds leave out, and that yt-dlp, a platform or a person adds. Null: unknown.
  add column duration_seconds    integer
    constraint video_entries_duration check (duration_seconds >= 0),
  add column live_status         text
    constraint video_entries_live_status check (live_status in ('none', 'upcoming', 'live', 'was_live')),
  add column availability        text
    constraint video_entries_availability check (
      availability in ('public', 'unlisted', 'members_only', 'age_restricted', 'private', 'removed')),
  -- How exact `published_at` is, if there is one. In the order of the alphabet, the later word is the better date.
  add column published_precision text        not null default 'exact'
    constraint video_entries_precision check (published_precision in ('approximate', 'day', 'exact')),
  -- `address`: a person added this video by its address, and it stays when the channel is unfollowed.
  add column source              text        not null default 'feed'
    constraint video_entries_source check (source in ('feed', 'listing', 'address')),
  -- The chapters that the site or the file names, for the watch page alone. Null: none are known.
  add column chapters            jsonb,
  -- When a look requests the page of the video next, for its facts. Null: never.
  add column look_at             timestamptz,
  -- When a look last requested that page. Null: never.
  add column looked_at           timestamptz,
  -- How many looks have found the same facts. -1: the facts have just changed, and the time of the next look is still to be chosen.
  add column looks               smallint    not null default 0;

update video_entries
set    sort_at = least(coalesce(published_at, first_seen_at), first_seen_at);
alter table video_entries
  alter column sort_at set not null;

create index video_entries_history_idx on video_entries (user_id, channel_id, sort_at desc, id desc);
-- With the columns that the counts of unwatched videos need, so that these read no row of the table.
create index video_entries_newest_idx on video_entries (user_id, sort_at desc, id desc) include (channel_id, video_id, source);
create index video_entries_live_idx on video_entries (user_id, sort_at desc, id desc)
where live_status in ('upcoming', 'live', 'was_live');
-- A save recognises a video by its date when the feed gives it another address and guid. The history finds the date of all other videos.
create index video_entries_early_idx on video_entries (user_id, channel_id, published_at) where published_at > first_seen_at;
create unique index video_entries_guid_key on video_entries (user_id, channel_id, guid) where guid is not null;
create index video_entries_moved_idx on video_entries (user_id, channel_id, moved_id) where moved_id is not null;
create index video_entries_added_idx on video_entries (user_id, channel_id) where source = 'address';
-- Finds the hosts that have due looks, then the person whose turn it is at a host, then all people who plan a look at the same video.
create index video_entries_look_due_idx on video_entries (video_host, look_at) where look_at is not null;
create index video_entries_look_turn_idx on video_entries (video_host, user_id, look_at) where look_at is not null;
create index video_entries_look_idx on video_entries (video_id) where look_at is not null;

-- Gives a video its place when a statement gives none, and again when its date changes.
create function place_in_history() returns trigger language plpgsql as $$
begin
  new.sort_at := least(coalesce(new.published_at, new.first_seen_at), new.first_seen_at);
  return new;
end
$$;
create trigger video_entries_place_missing before insert on video_entries
  for each row when (new.sort_at is null) execute function place_in_history();
create trigger video_entries_place_changed before update of published_at, first_seen_at on video_entries
  for each row when ((new.published_at, new.first_seen_at) is distinct from (old.published_at, old.first_seen_at))
  execute function place_in_history();

-- Plans a look for facts that will change, however they were found. A look itself plans the next one in the same statement.
create function plan_look() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and (
    new.look_at is distinct from old.look_at
    or (new.availability, new.live_status) is not distinct from (old.availability, old.live_status))
  then
    return new;
  end if;
  new.look_at := now();
  new.looks := -1;
  return new;
end
$$;
create trigger video_entries_plan_look before insert or update of availability, live_status on video_entries
  for each row when (new.availability in ('members_only', 'private') or new.live_status in ('upcoming', 'live'))
  execute function plan_look();

-- The pictures of videos and channels are fetched by the service and stored once for all people, in two sizes. So pages load nothing
-- from other sites, and a picture stays when its video is gone. A row is the picture at one address.
create table pictures (
  -- The path contains it. It is random, so only people who have a video or channel with this picture learn the path.
  picture_id  uuid        default gen_random_uuid() constraint pictures_pkey primary key,
  kind        text        not null constraint pictures_kind_check check (kind in ('video', 'channel')),
  -- The MD5 of the address, because an address is too long for an index.
  source_hash uuid        not null,
  url         text        not null constraint pictures_url_check check (length(url) <= 2048),
  host        text        not null,
  -- When both sizes were stored. Null: they are not.
  stored_at   timestamptz,
  fetch_at    timestamptz default now(),
  failures    smallint    not null default 0,
  -- A page misses the picture, so it is fetched first.
  is_wanted   boolean     not null default false,
  -- When a video or channel last had this picture. A picture that none has is deleted.
  used_at     timestamptz not null default now(),
  constraint pictures_source_hash_kind_key unique (source_hash, kind)
);
comment on column pictures.fetch_at is 'Null: it is stored, or was given up. A stored picture that has a time has lost its files.';
create index pictures_due_idx on pictures (host, is_wanted desc, fetch_at) where fetch_at is not null;
create index pictures_used_idx on pictures (used_at);
-- Counts the pictures that were given up, for the status page.
create index pictures_given_up_idx on pictures (host) where fetch_at is null and stored_at is null;

-- A slow pass over all channels and videos, person by person, plans the pictures that saves have not planned and notes which pictures
-- are used. The row keeps its place.
create table picture_pass (
  -- There is one row at most.
  is_only    boolean     default true constraint picture_pass_pkey primary key
                         constraint picture_pass_is_only_check check (is_only),
  -- What the pass reads. Null: it has ended.
  kind       text        default 'channel' constraint picture_pass_kind_check check (kind in ('channel', 'video')),
  -- The last row that it has read.
  last_user  uuid        not null default '00000000-0000-0000-0000-000000000000',
  last_id    bigint      not null default 0,
  started_at timestamptz not null default now()
);
