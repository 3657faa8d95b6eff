--! Previous: sha1:0c10d581d2abadfd69a374ed2a3da1e777642808
--! Hash: sha1:cbeab837aa2eda4825ca2aa287b332be7cdcbea3
--! Message: account

-- Accounts: settings, sessions, API tokens and password resets. Sessions and failed sign-ins are in the database, so they hold in
-- every process and after a restart. A setting that is about one subject is added with that subject.
alter table users
  -- The largest picture of a download, in lines, for channels without a quality of their own.
  add column quality            text    not null default 'best'
    constraint users_quality check (quality in ('best', '2160', '1440', '1080', '720', '480', '360', 'audio')),
  -- Single keys disturb people who speak to their computer or press keys by mistake, so a person can turn them off.
  add column keyboard_shortcuts boolean not null default true;

create table sessions (
  -- A hash of the token in the cookie, so reading this table signs no one in.
  id         text        constraint sessions_pkey primary key,
  user_id    uuid        not null constraint sessions_user_fkey references users (id) on delete cascade,
  expires_at timestamptz not null,
  -- The name of the session on pages and in the API, because `id` never leaves this table.
  public_id  uuid        not null default gen_random_uuid(),
  created_at timestamptz not null default now(),
  -- To the minute.
  used_at    timestamptz not null default now(),
  -- The browser and system in a few words. Null: they are unknown.
  device     text,
  -- The person chose to stay signed in.
  remembered boolean     not null default false
);
create index sessions_user_idx on sessions (user_id);
create index sessions_expires_at_idx on sessions (expires_at);
create unique index sessions_public_id_key on sessions (public_id);

-- How often a sign-in failed, for one account or from one address.
create table sign_in_failures (
  -- `account:<name>` or `address:<ip>`.
  subject    text        constraint sign_in_failures_pkey primary key,
  failures   integer     not null,
  started_at timestamptz not null
);

-- Tokens that programs send in place of a session.
create table api_tokens (
  id           uuid        default gen_random_uuid() constraint api_tokens_pkey primary key,
  user_id      uuid        not null constraint api_tokens_user_fkey references users (id) on delete cascade,
  name         text        not null,
  scope        text        not null constraint api_tokens_scope check (scope in ('read', 'write')),
  -- A hash of the token. The token is shown once and stored nowhere.
  hash         text        not null constraint api_tokens_hash_key unique,
  created_at   timestamptz not null default now(),
  -- To the minute. Null: never.
  last_used_at timestamptz,
  -- Null: the token is valid until it is revoked.
  expires_at   timestamptz
);
create index api_tokens_user_idx on api_tokens (user_id, created_at desc);

-- Links that let a person choose a new password. The person who runs the service makes them.
create table password_resets (
  -- A person has at most one link, because a new link replaces the one before.
  user_id    uuid        constraint password_resets_pkey primary key
                         constraint password_resets_user_fkey references users (id) on delete cascade,
  -- A hash of the token in the link. The token is shown once and stored nowhere.
  hash       text        not null constraint password_resets_hash_key unique,
  expires_at timestamptz not null
);
