--! Previous: sha1:0ac7a8d973cbb76c20ed934252d5a42f0eb02acc
--! Hash: sha1:723af7d921f36f235eded2821d275ab451a1f59c
--! Message: slots-and-patience

-- What a rule asked for is tried until it is there or gone for good; and a download can give up its slot and resume later.
alter table video_entries
  -- A rule asked for it, and it is neither there nor given up.
  add column download_by_rule    boolean not null default false,
  -- Why it failed last, and how many times in a row for this reason; null: it has not failed since it was asked for.
  add column download_reason     text,
  add column download_failures   smallint not null default 0,
  -- How often it gave up its slot, and how many times the site then sent it from its start again.
  add column download_turns_lost smallint not null default 0,
  add column download_restarts   smallint not null default 0,
  -- Fetched when it last gave up its slot; null: not known, or it never did.
  add column download_kept_bytes bigint;

-- A site that fails a person's rules, or a full disk: one download tries at `next_probe_at`, and the others wait for it.
create table rule_holds (
  user_id       uuid not null constraint rule_holds_user_fkey references users (id) on delete cascade,
  -- Empty: all that the person's rules asked for.
  host          text not null,
  reason        text not null,
  -- How many downloads in a row have failed.
  failures      smallint not null,
  next_probe_at timestamptz not null,
  constraint rule_holds_pkey primary key (user_id, host)
);

-- Who gave up a slot to another person, and when: for a moment the others are served first.
create table turns_given (
  user_id  uuid primary key constraint turns_given_user_fkey references users (id) on delete cascade,
  given_at timestamptz not null
);

-- The versions that the workers last reported: a new one may mend what the one before it could not do.
create table tool_versions (
  tool    text primary key,
  version text not null
);

-- The flags of the downloads that a worker passes over just now, so that places in the queue follow what the workers do.
alter table workers add column passed_over text[];

-- What rules asked for and is on its way belongs to them; what failed under the old rules, at most three attempts, is tried
-- once more, spread over a day. Housekeeping adds the jobs.
update video_entries
set    download_by_rule = true
where  download_asked_by = 'rule' and (download_requested_at is not null or download_status = 'FAILED');

with again as (
  select   user_id, video_id, now() + interval '10 minutes' + random() * interval '1 day' as next_at
  from     video_entries
  where    download_by_rule and download_status = 'FAILED' and download_requested_at is null
  group by user_id, video_id
)
update video_entries entry
set    download_requested_at = now(), download_next_attempt_at = again.next_at, download_attempts = 0
from   again
where  entry.user_id = again.user_id and entry.video_id = again.video_id and entry.download_status = 'FAILED';
