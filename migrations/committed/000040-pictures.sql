--! Previous: sha1:9a679587666c921805f724a7cdcb7c7aa7f495c6
--! Hash: sha1:60f6d919d0b123206c95f9b1ef519c41bd2e25fb
--! Message: pictures

-- The pictures of videos and channels are fetched by the service and stored once for all people, in two sizes, so that pages load
-- nothing from other sites and pictures stay when a video is gone. A row is one picture at one address. Its identifier is random, so
-- only those who have a video or channel with this picture learn its path. The table starts empty: rows are added when feeds are saved,
-- and for everything saved before by a pass over all videos.
create table pictures (
  picture_id  uuid        primary key default gen_random_uuid(),
  kind        text        not null check (kind in ('video', 'channel')),
  -- The MD5 of the address. Addresses are too long for an index.
  source_hash uuid        not null,
  url         text        not null check (length(url) <= 2048),
  host        text        not null,
  -- When both sizes were stored. Null: they are not.
  stored_at   timestamptz,
  -- When the picture is fetched next. Null: it is stored, or was given up.
  fetch_at    timestamptz default now(),
  failures    smallint    not null default 0,
  -- Pictures that a page misses are fetched first.
  is_wanted   boolean     not null default false,
  -- When a video or channel last had this picture. Pictures that none has any more are deleted.
  used_at     timestamptz not null default now(),
  unique (source_hash, kind)
);
create index pictures_due_idx on pictures (host, is_wanted desc, fetch_at) where fetch_at is not null;
create index pictures_used_idx on pictures (used_at);
