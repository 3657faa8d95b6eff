--! Previous: sha1:cf55ee503e1cd5c091bd499f139a2ae91b61cd18
--! Hash: sha1:f6be32e30991aebb6cdb0af0faf0a7ef2f0167d3
--! Message: picture-passes

-- A pass over all videos and channels, person by person, plans the pictures that saves have not planned, and notes which ones are
-- still used. It is slow on purpose, so its place is kept here. Pictures that were given up are counted on the status page, by an
-- index that contains only them. Both are quick at any size: the table of pictures is new.
create table picture_pass (
  is_only     boolean     primary key default true check (is_only),
  -- What the pass reads now. Null: it has ended.
  kind        text        default 'channel' check (kind in ('channel', 'video')),
  -- The last row that it has read.
  last_user   uuid        not null default '00000000-0000-0000-0000-000000000000',
  last_id     bigint      not null default 0,
  started_at  timestamptz not null default now()
);
create index pictures_given_up_idx on pictures (host) where fetch_at is null and stored_at is null;
comment on column pictures.fetch_at is 'Null: it is stored, or was given up. A stored picture that has a time has lost its files.';
