--! Previous: sha1:15befe0c8c99980c465961ee1c7443baa91a13ef
--! Hash: sha1:4b0c9e5424892bf8edccb142b79cf1f9806da569
--! Message: imports

-- A list of channels that somebody brings along is worked through in the background, line by line; what is done stays done.
create table imports (
  id          uuid primary key default gen_random_uuid(),
  user_id     uuid not null constraint imports_user_fkey references users (id) on delete cascade,
  -- What the list was: opml, takeout, newpipe, freetube, json, addresses.
  kind        text not null,
  created_at  timestamptz not null default now(),
  -- Null: lines are still waiting.
  finished_at timestamptz,
  constraint imports_user_import_key unique (user_id, id)
);
create index imports_recent_idx on imports (user_id, created_at desc);

create table import_lines (
  user_id    uuid not null,
  import_id  uuid not null,
  -- From 0, as in the list.
  position   integer not null,
  address    text not null,
  title      text,
  outcome    text not null default 'waiting',
  -- Why it failed, as a sentence.
  message    text,
  -- The channel it led to, which may be gone by now.
  channel_id text,
  constraint import_lines_pkey primary key (user_id, import_id, position),
  constraint import_lines_import_fkey foreign key (user_id, import_id)
    references imports (user_id, id) on delete cascade,
  constraint import_lines_outcome check (outcome in ('waiting', 'added', 'already', 'failed')),
  constraint import_lines_failed_says_why check ((outcome = 'failed') = (message is not null))
);
