--! Previous: sha1:e7648f1b99d052354a4a038dc559a564bdc3ccf5
--! Hash: sha1:3c616d204f35bcf883dfbb0624585d29ef77556c
--! Message: downloads

-- Downloads: who requested a file, the run that fetches it, its attempts, and which files are shared between people.
alter table video_entries
  -- Null: no one waits for the file.
  add column download_requested_at    timestamptz,
  -- Who requested the file last. Never cleared: no rule requests a file again that was requested before and then deleted.
  add column download_asked_by        text
    constraint video_entries_asked_by check (download_asked_by in ('person', 'rule')),
  -- A rule requested the file, and it is neither on disk nor given up.
  add column download_by_rule         boolean  not null default false,
  add column download_attempts        smallint not null default 0,
  add column download_next_attempt_at timestamptz,
  -- Why the last attempt failed, and how many attempts in a row failed for this reason. Null: none has failed since the request.
  add column download_reason          text,
  add column download_failures        smallint not null default 0,
  -- The failure in the words of the tool, for people who want to look closer.
  add column download_detail          varchar(2000),
  -- The run that holds the download, and when that run last reported that it is alive.
  add column download_claim           uuid,
  add column download_heartbeat_at    timestamptz,
  add column download_progress        jsonb,
  -- How often the download gave up its slot to another person, and how often the site then sent the file from its start.
  add column download_turns_lost      smallint not null default 0,
  add column download_restarts        smallint not null default 0,
  -- How many bytes were there when it last gave up its slot. Null: unknown, or it never did.
  add column download_kept_bytes      bigint,
  -- Its person has paused this download. A paused download has no job, so no worker has to skip it. Null: it is not paused.
  add column download_paused_at       timestamptz,
  -- Downloads that one press cancelled have the same time, so that one press brings them back.
  add column download_cancelled_at    timestamptz,
  -- The languages of the subtitles, as the site names them. Each is a file next to the video.
  add column subtitles                text[]   not null default '{}',
  -- The length and the chapters of the stored file were read from it.
  add column file_is_read             boolean  not null default false,
  -- The quality of the file, or of what the run fetches. Null: there is neither, or the file must not be shared.
  add column download_quality         text,
  -- A hash of the address from which the file was fetched, which may differ from the address that the feed names today. Without a file:
  -- of the address that is requested. All addresses of a video at a known platform have the same hash. Null: nothing is shared.
  add column address_hash             uuid,
  -- A hash of the words of this person's own entry that the file contains. Null: the file contains only what its site says.
  add column words_hash               text,
  -- The file was copied, or the run copies it, from another person's. Its site was not requested.
  add column download_copied          boolean  not null default false,
  -- What the site said of the video when the file was fetched. Other facts may come from one person's feed or archive, so only these
  -- are copied with the file. Null: there is no file, or nothing is known.
  add column site_facts               jsonb,
  -- What people see of the download, derived here so that every query has the same answer. Null: neither requested nor on disk.
  -- `waiting` includes a download that failed and has another attempt planned.
  add column standing                 text
    generated always as (
      case
        when download_status = 'DOWNLOADING'   then 'running'
        when download_status = 'COMPLETED'     then 'done'
        when download_requested_at is not null then 'waiting'
        when download_status = 'FAILED'        then 'failed'
      end) stored,
  add constraint video_entries_downloading_is_claimed check
    ((download_status = 'DOWNLOADING') = (download_claim is not null and download_heartbeat_at is not null)),
  add constraint video_entries_completed_has_file check
    ((download_status = 'COMPLETED') = (download_path is not null and file_size is not null)),
  add constraint video_entries_failed_says_why check
    (download_status <> 'FAILED' or length(download_error) > 0);

update video_entries
set    download_asked_by = 'person'
where  download_status <> 'PENDING';

-- For the shelves of a person, and for numbers over all people, which read only this index. Most videos have no standing.
create index video_entries_standing_idx on video_entries (standing, user_id, video_id) include (video_host)
where standing is not null;
-- Counts the videos of a channel by status. Few are not PENDING; the number of all videos gives the rest.
create index video_entries_status_idx on video_entries (user_id, channel_id, download_status)
where download_status <> 'PENDING';
-- Count the downloads that run from a host, and show whether one of its downloads has just ended.
create index video_entries_running_idx on video_entries (video_host) where download_status = 'DOWNLOADING';
create index video_entries_ended_idx on video_entries (download_completed_at) where download_completed_at is not null;
create index video_entries_cancelled_idx on video_entries (user_id, download_cancelled_at) where download_cancelled_at is not null;
-- Finds the files whose length and chapters are still to be read.
create index video_entries_unread_files_idx on video_entries (user_id, video_id)
where download_status = 'COMPLETED' and not file_is_read;
-- Finds the failed downloads whose video has opened. They are about to be requested again, so the index is nearly empty.
create index video_entries_opened_idx on video_entries (user_id, video_id)
where standing = 'failed' and download_reason in ('members', 'private')
and   (availability is null or availability not in ('members_only', 'private', 'removed'));
-- Finds another person's file, or run, of the same video and quality.
create index video_entries_same_video_idx on video_entries (address_hash, download_quality, standing)
where address_hash is not null;

-- A person can pause all downloads, or those of one site.
create table download_pauses (
  user_id   uuid        not null constraint download_pauses_user_fkey references users (id) on delete cascade,
  -- As in `video_host`. Empty: all sites.
  host      text        not null,
  paused_at timestamptz not null default now(),
  constraint download_pauses_pkey primary key (user_id, host)
);

-- Who gave up a slot to another person, and when. For a moment the others are served first.
create table turns_given (
  user_id  uuid        constraint turns_given_pkey primary key
                       constraint turns_given_user_fkey references users (id) on delete cascade,
  given_at timestamptz not null
);

-- Tells the worker at once that a download was cancelled, handed on, or deleted with its channel. A trigger, because a deletion reaches
-- the videos by cascade, and every way of taking a download from its worker must tell.
create function tell_lost_claim() returns trigger
language plpgsql as $$
begin
  perform pg_notify('download_claim_lost', old.download_claim::text);
  return null;
end
$$;
create trigger video_entries_claim_taken after update on video_entries
  for each row when (old.download_claim is not null and new.download_claim is distinct from old.download_claim)
  execute function tell_lost_claim();
create trigger video_entries_claim_deleted after delete on video_entries
  for each row when (old.download_claim is not null)
  execute function tell_lost_claim();

-- Adds a job when a run that fetched a video has ended, in any way: with or without a file, or because the video was deleted. People who
-- wait for the same video then get the file, or the next of them tries. A trigger, because deletions reach the videos by cascade. The
-- jobs have no key, because two transactions that end the same runs in another order would wait for each other.
create function share_after_run() returns trigger language plpgsql as $$
begin
  perform graphile_worker.add_job('share-ended', json_build_object('address_hash', old.address_hash));
  return null;
end
$$;
create trigger video_entries_run_ended after update on video_entries
  for each row when (
    old.download_claim is not null and new.download_claim is distinct from old.download_claim
    and old.address_hash is not null and not old.download_copied)
  execute function share_after_run();
create trigger video_entries_run_deleted after delete on video_entries
  for each row when (old.download_claim is not null and old.address_hash is not null and not old.download_copied)
  execute function share_after_run();
