--! Previous: sha1:b82d89add0a5dcb6a3133194be46259a3ed2976e
--! Hash: sha1:f3f3f14ed648219907ce26cd6a387961bb668675
--! Message: captions-of-all

-- Search also finds what is said in videos that are not on disk, for people who want it. Workers then ask the site for the captions of one
-- video after another, and remember that they asked, so that a video without captions is not asked for again and again. The columns have
-- constant defaults, so the tables are not written anew.
alter table users
  -- Whether captions are fetched of videos that this person has not downloaded.
  add column captions_of_all boolean     not null default false,
  -- From when on the captions of this person's next video may be asked for.
  add column captions_at     timestamptz not null default 'epoch';

alter table transcripts
  -- When the site was last asked for the captions of a video that was not on disk. Null: never.
  add column asked_at timestamptz,
  -- How many times that was.
  add column asks     smallint    not null default 0;
