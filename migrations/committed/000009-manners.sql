--! Previous: sha1:1607133380d02af6b618ad4797247fde2f3e5abd
--! Hash: sha1:b5eb49aadc5d5c4b046415394cf09cdc1bd328f1
--! Message: manners

-- Manners towards the sites: on which host each video is and until when a host asked to be left alone; and, for those who
-- want to look closer, a failure in its tool's own words.
alter table video_entries
  -- `www.` and `m.` are the same site.
  add column video_host text
    generated always as (
      substring(lower(video_url) from '^https?://(?:[^/?#\\]*@)?(?:www\.|m\.)?(\[[^]/?#]*\]|[^/?#:@\\]+)')) stored,
  add column download_detail varchar(2000);

-- How many run from one host, and whether one of them ended a moment ago.
create index video_entries_running_idx on video_entries (video_host) where download_status = 'DOWNLOADING';
create index video_entries_ended_idx on video_entries (download_completed_at) where download_completed_at is not null;

create table host_pauses (
  host   text primary key,
  until  timestamptz not null,
  reason text not null
);

-- What a worker found on its machine, for the health page; null: a pool that downloads nothing.
alter table workers add column report jsonb;
