--! Previous: sha1:7178477631af9850f7b95e16e7efc58b94bffbc7
--! Hash: sha1:98d9e1413c783afd3654a306d0808612103ab28b
--! Message: download tracking

-- Where the download of each video stands. Everything here can be taken back by the migration's own way down.
create type download_status as enum ('PENDING', 'DOWNLOADING', 'COMPLETED', 'FAILED');

alter table video_entries
  add column download_status       download_status not null default 'PENDING',
  add column download_path         varchar(1000),
  add column download_started_at   timestamptz,
  add column download_completed_at timestamptz,
  add column download_error        varchar(2000),
  add column file_size             bigint;

create index video_entries_download_status_idx on video_entries (download_status);
