--! Previous: sha1:4bcf5c5a9bc4d0e0f58b497bf1ca6b53c8825d94
--! Hash: sha1:65461a66ae0194afccd9534114756fa0fd0a1718
--! Message: backfills

-- Older videos of a channel are loaded in the background, which can take half an hour. One row for each person and channel says how
-- far it is, so that another worker continues after a crash. An empty table, so this takes milliseconds at any size.
create table backfills (
  user_id         uuid not null,
  channel_id      text not null,
  state           text not null default 'queued',
  -- The host of the list, as in host_pauses. Null: unknown.
  site            text,
  -- Entries of the list so far, and how many of them were new.
  found           integer not null default 0,
  saved           integer not null default 0,
  -- The priority of its job: people take turns, and a person has one unfinished backfill in each round.
  round           smallint not null default 0,
  requested_at    timestamptz not null default now(),
  started_at      timestamptz,
  finished_at     timestamptz,
  -- Why it is incomplete, has failed, or waits, as a sentence.
  error           text,
  attempts        integer not null default 0,
  next_attempt_at timestamptz,
  -- Names the run; a lost run can write nothing.
  claim           uuid,
  heartbeat_at    timestamptz,
  constraint backfills_pkey primary key (user_id, channel_id),
  constraint backfills_channel_fkey foreign key (user_id, channel_id)
    references channels (user_id, channel_id) on delete cascade,
  constraint backfills_state check (state in ('queued', 'running', 'done', 'incomplete', 'failed', 'cancelled')),
  constraint backfills_counts check (saved >= 0 and found >= 0 and attempts >= 0),
  constraint backfills_end check ((finished_at is null) = (state in ('queued', 'running'))),
  constraint backfills_run check ((claim is not null) = (state = 'running')),
  constraint backfills_says_why check (error is not null or state not in ('incomplete', 'failed'))
);

-- For the round being served, and each minute for those that lost their job.
create index backfills_unfinished_idx on backfills (user_id, channel_id) include (round) where state in ('queued', 'running');
