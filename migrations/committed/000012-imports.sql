--! Previous: sha1:a080ec89c5a0c241e268c5390265e584b71c7bf3
--! Hash: sha1:40c8bb5ed4815aad3fe8c165e3ec15673de65945
--! Message: imports

-- Imports: a list of channels that is followed line by line, a watch history, or everything that a person had in another Backlot. All of
-- it happens in the background, and what is done stays done.
create table imports (
  id          uuid        not null default gen_random_uuid(),
  user_id     uuid        not null constraint imports_user_fkey references users (id) on delete cascade,
  -- What was imported: opml, takeout, newpipe, freetube, json, addresses and so on.
  kind        text        not null,
  created_at  timestamptz not null default now(),
  -- Null: lines or parts are waiting.
  finished_at timestamptz,
  -- How many lines name no channel: remarks, headings, episodes.
  passed_over integer     not null default 0,
  -- The counts of an import that has parts. Null: it is a list of channels only.
  content     jsonb,
  -- Its file is still being read, which can take minutes. The import is shown when the file was read to its end.
  being_read  boolean     not null default false,
  constraint imports_pkey primary key (user_id, id)
);
create index imports_recent_idx on imports (user_id, created_at desc);
create index imports_being_read_idx on imports (created_at) where being_read;

create table import_lines (
  user_id    uuid        not null,
  import_id  uuid        not null,
  -- From 0, as in the list.
  position   integer     not null,
  address    text        not null,
  title      text,
  outcome    text        not null default 'waiting',
  -- Why it failed, as a sentence.
  message    text,
  -- The channel that it led to. The channel may be gone.
  channel_id text,
  -- The line waits until this time, because another host than its own refused it. Null: it does not wait.
  not_before timestamptz,
  constraint import_lines_pkey primary key (user_id, import_id, position),
  constraint import_lines_import_fkey foreign key (user_id, import_id) references imports (user_id, id) on delete cascade,
  constraint import_lines_outcome check (outcome in ('waiting', 'added', 'already', 'failed')),
  constraint import_lines_failed_says_why check ((outcome = 'failed') = (message is not null))
);

-- A large file is divided into parts when it arrives, and a job applies one after another. A part is deleted in the transaction that
-- applies it, so each is applied once.
create table import_parts (
  user_id   uuid    not null,
  import_id uuid    not null,
  -- The order in which they are applied.
  position  integer not null,
  kind      text    not null,
  -- A list. As `json`, because it is read once and never searched.
  items     json    not null,
  constraint import_parts_pkey primary key (user_id, import_id, position),
  constraint import_parts_import_fkey foreign key (user_id, import_id) references imports (user_id, id) on delete cascade,
  constraint import_parts_kind check (kind in ('settings', 'channels', 'videos', 'viewings', 'rules', 'downloads'))
);

-- An import follows channels without fetching their feeds. What the first check of such a feed finds was there before, so no rule may
-- request it.
alter table channels
  -- When an import followed the channel, or brought its rule. Null: neither. Rules are for videos published after this time.
  add column imported_at      timestamptz,
  -- The first check of its feed after an import. A video without a date that it found is an earlier one. Null: not yet.
  add column first_checked_at timestamptz;
