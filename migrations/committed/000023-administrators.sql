--! Previous: sha1:b1f96c69f8472716d6ecc14055cca3c143017e68
--! Hash: sha1:246ce7d52c9dea82831c9ed80505f4c5cd0ac95b
--! Message: administrators

-- A service with several people has administrators, and other ways to sign in than a password.
alter table users
  -- Null: the person signs in by a passkey, an identity or a proxy.
  alter column password_hash drop not null,
  add column role         text not null default 'member' constraint users_role check (role in ('admin', 'member')),
  -- Null: the person may sign in.
  add column locked_at    timestamptz,
  -- To the minute. Null: never.
  add column last_seen_at timestamptz,
  -- Gigabytes; 0: no limit. Null: as the service says.
  add column quota_gb     double precision constraint users_quota check (quota_gb >= 0);

update users set
  last_seen_at = greatest((select max(used_at) from sessions where user_id = users.id),
                          (select max(last_used_at) from api_tokens where user_id = users.id));
update users set role = 'admin' where id = (select id from users order by created_at, id limit 1);

-- An identity that someone else vouches for: an OpenID provider, or a proxy in front of the service.
create table identities (
  issuer       text not null constraint identities_issuer check (length(issuer) <= 2000),
  subject      text not null constraint identities_subject check (length(subject) <= 500),
  user_id      uuid not null constraint identities_user_fkey references users (id) on delete cascade,
  -- The name at the issuer, shown to its owner. It decides nothing.
  name         text not null constraint identities_name check (length(name) <= 500),
  created_at   timestamptz not null default now(),
  last_used_at timestamptz,
  constraint identities_pkey primary key (issuer, subject)
);
create index identities_user_idx on identities (user_id);

create table passkeys (
  passkey_id    uuid not null default gen_random_uuid() constraint passkeys_pkey primary key,
  user_id       uuid not null constraint passkeys_user_fkey references users (id) on delete cascade,
  -- base64url, as browsers send it.
  credential_id text not null constraint passkeys_credential_key unique,
  public_key    bytea not null,
  -- Counts the uses, where the device counts them; 0: it does not.
  counter       bigint not null,
  transports    text[] not null default '{}',
  name          text not null constraint passkeys_name check (length(name) between 1 and 60),
  created_at    timestamptz not null default now(),
  last_used_at  timestamptz
);
create index passkeys_user_idx on passkeys (user_id, created_at);

-- What a browser began and has to finish within minutes: a sign-in at a provider or by a passkey, or adding one of them. Used once.
create table sign_in_attempts (
  -- Of the secret in the browser's cookie.
  hash       text not null constraint sign_in_attempts_pkey primary key,
  purpose    text not null constraint sign_in_attempts_purpose check (purpose in ('oidc', 'passkey', 'new_passkey')),
  details    jsonb not null,
  -- Who adds a way to sign in. Null: somebody signs in.
  user_id    uuid constraint sign_in_attempts_user_fkey references users (id) on delete cascade,
  expires_at timestamptz not null
);
create index sign_in_attempts_expires_idx on sign_in_attempts (expires_at);
create index sign_in_attempts_user_idx on sign_in_attempts (user_id);

create table invitations (
  invitation_id uuid not null default gen_random_uuid() constraint invitations_pkey primary key,
  hash          text not null constraint invitations_hash_key unique,
  note          text not null default '' constraint invitations_note check (length(note) <= 200),
  -- An invitation ends with the role of the person who made it. Null: made on the command line.
  made_by       uuid constraint invitations_made_by_fkey references users (id) on delete cascade,
  created_at    timestamptz not null default now(),
  expires_at    timestamptz not null
);
create index invitations_made_by_idx on invitations (made_by);

-- What administrators did, on the desk and on the command line. It outlives the people it names.
create table admin_acts (
  id       bigint generated always as identity constraint admin_acts_pkey primary key,
  at       timestamptz not null default now(),
  -- A username, or what else acted: the command line, a provider.
  actor    text not null,
  act      text not null,
  -- Whom it concerns. Null: nobody.
  username text,
  detail   text not null default ''
);

-- A token with this scope opens the desk, as long as its owner is an administrator.
alter table api_tokens
  drop constraint api_tokens_scope,
  add constraint api_tokens_scope check (scope in ('read', 'write', 'admin'));

-- The first account is an administrator. Of two that are created at the same moment, one waits for the other.
create function choose_first_administrator() returns trigger language plpgsql as $$
begin
  if not exists (select from users) then
    perform pg_advisory_xact_lock(hashtextextended('backlot first account', 0));
    if not exists (select from users) then
      new.role = 'admin';
    end if;
  end if;
  return new;
end $$;
create trigger users_first before insert on users for each row execute function choose_first_administrator();

-- How surely a person can act as an administrator: 2: always, 1: only while a provider or a proxy answers, 0: not at all.
create function administrator_access(person users) returns integer language sql stable as $$
  select case
    when person.role <> 'admin' or person.locked_at is not null then 0
    when person.password_hash is not null or exists (select from passkeys where user_id = person.id) then 2
    when exists (select from identities where user_id = person.id) then 1
    else 0
  end
$$;

-- The last administrator who can sign in stays as long as there are other people, whatever happens at the same moment.
create function keep_administrator() returns trigger language plpgsql as $$
declare
  before integer := administrator_access(old);
  after  integer := 0;
begin
  if tg_op = 'UPDATE' then
    after := administrator_access(new);
  end if;
  if after < before then
    perform pg_advisory_xact_lock(hashtextextended('backlot administrators', 0));
    if exists (select from users other where other.id <> old.id)
       and not exists (select from users other where other.id <> old.id and administrator_access(other) >= before) then
      raise exception 'no administrator who can sign in would be left'
        using errcode = 'check_violation', constraint = 'users_administrator', table = 'users';
    end if;
  end if;
  if tg_op = 'UPDATE' then
    return new;
  end if;
  return old;
end $$;
create trigger users_administrator_kept before update of role, locked_at, password_hash on users
  for each row when (old.role = 'admin') execute function keep_administrator();
create trigger users_administrator_stays before delete on users
  for each row when (old.role = 'admin') execute function keep_administrator();

-- A locked person has no way in that was opened before. What the role of an administrator gave, goes with the role.
create function end_access() returns trigger language plpgsql as $$
begin
  if new.locked_at is not null then
    delete from sessions where user_id = new.id;
    delete from api_tokens where user_id = new.id;
    delete from password_resets where user_id = new.id;
    delete from sign_in_attempts where user_id = new.id;
  end if;
  if new.locked_at is not null or new.role <> 'admin' then
    delete from invitations where made_by = new.id;
    delete from api_tokens where user_id = new.id and scope = 'admin';
  end if;
  return null;
end $$;
create trigger users_access_ended after update of role, locked_at on users
  for each row when ((old.role, old.locked_at) is distinct from (new.role, new.locked_at)) execute function end_access();
