--! Previous: sha1:94ccd75d0646d179945a4c54735f4ae1681cea6b
--! Hash: sha1:0e1e4dc24b1b5a37cbc513dcc8c5ab417864f8ce
--! Message: account

-- What a person sees of their sessions and can end, and the tokens that programs bring instead of one.
alter table sessions
  -- What a page may name; the identifier itself never leaves this table.
  add column public_id  uuid not null default gen_random_uuid(),
  add column created_at timestamptz not null default now(),
  -- To the minute.
  add column used_at    timestamptz not null default now(),
  -- In a few words; null: it said nothing we know.
  add column device     text,
  add column remembered boolean not null default false;
create unique index sessions_public_id_key on sessions (public_id);

create table api_tokens (
  id           uuid primary key default gen_random_uuid(),
  user_id      uuid not null constraint api_tokens_user_fkey references users (id) on delete cascade,
  name         text not null,
  scope        text not null constraint api_tokens_scope check (scope in ('read', 'write')),
  -- Of the token, which is shown once and kept nowhere.
  hash         text not null constraint api_tokens_hash_key unique,
  created_at   timestamptz not null default now(),
  -- To the minute; null: never.
  last_used_at timestamptz,
  -- Null: it holds until it is revoked.
  expires_at   timestamptz
);
create index api_tokens_user_idx on api_tokens (user_id, created_at desc);
