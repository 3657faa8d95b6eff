--! Previous: sha1:65461a66ae0194afccd9534114756fa0fd0a1718
--! Hash: sha1:6c4a7b1b4d3e4dfbc422f67de6dac342fcc2b690
--! Message: looks

-- A look requests the page of one video for its facts, and the newest page of a listing replaces a feed that fails. These columns say
-- when that happens next, and two small indexes find what is due over all people. The columns take milliseconds at any size. The
-- indexes read the table once: about a second for a million videos, in which nothing is written.
alter table video_entries
  -- When the facts are looked up next. Null: never.
  add column look_at   timestamptz,
  -- When the page of the video was last requested for its facts. Null: never.
  add column looked_at timestamptz,
  -- How many looks have found the same facts. -1: the facts have just changed, and the next look is still to be planned.
  add column looks     smallint not null default 0;
create index video_entries_look_due_idx on video_entries (video_host, look_at) where look_at is not null;
create index video_entries_look_idx on video_entries (video_id) where look_at is not null;

alter table channels
  -- When the newest page of the channel's listing is read next, because the feed fails or lists too little. Null: never.
  add column list_at     timestamptz,
  -- Videos published after this time may be missing from the feed. Null: the time is unknown.
  add column list_since  timestamptz,
  -- When the listing was last read in place of the feed. Null: never, or the feed works again.
  add column listed_at   timestamptz,
  -- When the picture was last taken from a listing. Null: never.
  add column pictured_at timestamptz;
create index channels_list_idx on channels (list_at) where list_at is not null;

-- Facts that will change are looked up again, however they were found. A look plans the next one in the same statement.
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

-- Downloads that failed because their video is for members wait for a look from now on.
update video_entries
set    availability = 'members_only'
where  standing in ('failed', 'waiting') and download_status = 'FAILED' and download_reason = 'members';
