--! Previous: sha1:b6fad3f65eb4d3745671a0ab051787e302f1e09b
--! Hash: sha1:d39cf0fd74136b4b676ee07d1d7a4eb59101f6ec
--! Message: history and queue

-- What a history needs to page in a stable order, and what a download needs to be queued, watched, retried and recovered.
alter table video_entries
  add column first_seen_at timestamptz not null default now(),
  -- A date in the future or none at all sorts as the day the video was first seen.
  add column sort_at timestamptz not null
    generated always as (least(coalesce(published_at, first_seen_at), first_seen_at)) stored,
  -- Null: nobody waits for it.
  add column download_requested_at    timestamptz,
  add column download_attempts        smallint not null default 0,
  add column download_next_attempt_at timestamptz,
  -- Which run of which worker holds it, and when that run last gave a sign of life.
  add column download_claim           uuid,
  add column download_heartbeat_at    timestamptz,
  add column download_progress        jsonb,
  add constraint video_entries_downloading_is_claimed check
    ((download_status = 'DOWNLOADING') = (download_claim is not null and download_heartbeat_at is not null)),
  add constraint video_entries_completed_has_file check
    ((download_status = 'COMPLETED') = (download_path is not null and file_size is not null)),
  add constraint video_entries_failed_says_why check
    (download_status <> 'FAILED' or length(download_error) > 0);

create index video_entries_history_idx on video_entries (user_id, channel_id, sort_at desc, id desc);
create index video_entries_newest_idx on video_entries (user_id, sort_at desc, id desc);
create index video_entries_by_video_idx on video_entries (user_id, video_id);

-- A feed that can't be read is asked less and less often, and the channel says why.
alter table channels
  add column created_at      timestamptz not null default now(),
  add column fetch_error     text,
  add column fetch_failed_at timestamptz,
  add column fetch_failures  smallint not null default 0;
create index channels_last_fetched_at_idx on channels (last_fetched_at);

-- Each worker process says here that it lives; what a dead one had locked in the queue is set free.
create table workers (
  -- The id of graphile-worker's pool, as in `locked_by`.
  id           text primary key,
  heartbeat_at timestamptz not null default now()
);
