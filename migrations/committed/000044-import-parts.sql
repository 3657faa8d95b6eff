--! Previous: sha1:f6be32e30991aebb6cdb0af0faf0a7ef2f0167d3
--! Hash: sha1:226c561892a34f2d6731e96565e21472fbc0d829
--! Message: import-parts

-- An import can bring a watch history, or everything that a person had in another Backlot. Such a file is divided into parts when it
-- arrives, and a job applies one part after another. A part is deleted in the transaction that applies it, so each is applied once.
-- The new columns have no values for existing rows, so this takes milliseconds at any size.
create table import_parts (
  user_id   uuid    not null,
  import_id uuid    not null,
  -- The order in which they are applied.
  position  integer not null,
  -- What the items are: settings, channels, videos, viewings, rules or downloads.
  kind      text    not null,
  -- A list. As text, because it is read once and never searched.
  items     json    not null,
  constraint import_parts_pkey primary key (user_id, import_id, position),
  constraint import_parts_import_fkey foreign key (user_id, import_id) references imports (user_id, id) on delete cascade,
  constraint import_parts_kind check (kind in ('settings', 'channels', 'videos', 'viewings', 'rules', 'downloads'))
);

-- The counts of an import that has parts. Null: it is a list of channels only.
alter table imports add column content jsonb;

-- When the mark was imported. Null: the person made it here. A rule that deletes watched files counts the days from this time, if it is
-- the latest, so that an import of old marks deletes no file at once.
alter table viewings add column imported_at timestamptz;
