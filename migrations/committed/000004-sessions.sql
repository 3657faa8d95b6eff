--! Previous: sha1:0c10d581d2abadfd69a374ed2a3da1e777642808
--! Hash: sha1:b6fad3f65eb4d3745671a0ab051787e302f1e09b
--! Message: sessions

-- Who is signed in, and how often somebody tried in vain. Both live here so that they hold across processes and restarts.
create table sessions (
  -- A hash of the token in the cookie, so that reading this table signs nobody in.
  id         text primary key,
  user_id    uuid not null constraint sessions_user_fkey references users (id) on delete cascade,
  expires_at timestamptz not null
);
create index sessions_user_idx on sessions (user_id);
create index sessions_expires_at_idx on sessions (expires_at);

create table sign_in_failures (
  -- `account:<name>` or `address:<ip>`.
  subject    text primary key,
  failures   integer not null,
  started_at timestamptz not null
);
