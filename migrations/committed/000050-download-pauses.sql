--! Previous: sha1:01e59f85e7b4d1f8a83c685e9c3180af79c9bbd2
--! Hash: sha1:84352a8d7bf524968b7c812e6c2cc64f58a452b5
--! Message: download-pauses

-- A person can pause one download, those of one site, or all of them. What is paused has no job until it is resumed, so no worker has to
-- skip it, and no other download is counted behind it. The new column is null in all existing rows, so this takes milliseconds
-- at any size.

alter table video_entries add column download_paused_at timestamptz;

-- `host` as in `video_host`; empty: all sites.
create table download_pauses (
  user_id   uuid not null constraint download_pauses_user_fkey references users (id) on delete cascade,
  host      text not null,
  paused_at timestamptz not null default now(),
  constraint download_pauses_pkey primary key (user_id, host)
);
