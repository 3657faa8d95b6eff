--! Previous: sha1:c1d5f67bd1cce5b14ff1846c9b47d7cecdef087f
--! Hash: sha1:b82d89add0a5dcb6a3133194be46259a3ed2976e
--! Message: saved-searches

-- A person saves searches under a name, to open them from the navigation. The table starts empty, so this takes milliseconds.
create table saved_searches (
  user_id         uuid        not null constraint saved_searches_user_fkey references users (id) on delete cascade,
  saved_search_id uuid        not null default gen_random_uuid(),
  name            text        not null constraint saved_searches_name check (length(name) between 1 and 60),
  q               text        not null constraint saved_searches_q check (length(q) between 1 and 200),
  sort            text        not null constraint saved_searches_sort check (sort in ('relevance', 'newest')),
  created_at      timestamptz not null default now(),
  -- A deleted search is kept for a day, so that the deletion can be undone.
  deleted_at      timestamptz,
  constraint saved_searches_pkey primary key (user_id, saved_search_id)
);
create unique index saved_searches_name_key on saved_searches (user_id, lower(name)) where deleted_at is null;
