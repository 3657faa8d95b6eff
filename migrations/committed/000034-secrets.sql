--! Previous: sha1:7055f5266edd23b35a1f39b46a2442c1af8b4fff
--! Hash: sha1:70107c414fbb470c256b5d9bd8d12f1b90dc205c
--! Message: secrets

-- What a random secret opens is one table, with one way to make a secret and one way to look it up. The earlier tables stay, because
-- versions before this migration read and write them. Triggers keep both equal, so that a secret that one version makes or ends is made
-- or ended for the other one.
create table secrets (
  secret_id    uuid        not null default gen_random_uuid() constraint secrets_pkey primary key,
  kind         text        not null constraint secrets_kind check (kind in
                             ('token', 'play', 'share', 'podcast', 'invitation', 'reset', 'oidc', 'passkey', 'new_passkey')),
  -- The secret is shown once and stored nowhere.
  hash         text        not null,
  -- Whose it is. Null: an invitation, or somebody signs in.
  user_id      uuid        constraint secrets_user_fkey references users (id) on delete cascade,
  -- The administrator with whose role it ends. Null: none.
  made_by      uuid        constraint secrets_made_by_fkey references users (id) on delete cascade,
  -- What it opens. The form depends on the kind.
  opens        jsonb       not null default '{}',
  -- As its maker calls it.
  name         text        not null default '' constraint secrets_name check (length(name) <= 200),
  created_at   timestamptz not null default now(),
  -- To the minute. Null: never.
  last_used_at timestamptz,
  -- Null: until it is revoked.
  expires_at   timestamptz,
  constraint secrets_hash_key unique (hash, kind)
);
create index secrets_user_idx on secrets (user_id, kind);
create index secrets_made_by_idx on secrets (made_by);
create index secrets_expires_at_idx on secrets (expires_at);

-- The rows of the earlier tables as secrets. Those that had no id get one from their hash.
create function earlier_secrets() returns setof secrets language sql stable as $$
  select link_id, case kind when 'feed' then 'podcast' else kind end, hash, user_id, null::uuid,
         jsonb_strip_nulls(jsonb_build_object('video_id', video_id, 'podcast_id', feed_id)),
         '', created_at, last_used_at, expires_at
  from   links
  union all
  select id, 'token', hash, user_id, null, jsonb_build_object('scope', scope), name, created_at, last_used_at, expires_at
  from   api_tokens
  union all
  select invitation_id, 'invitation', hash, null, made_by, '{}', note, created_at, null, expires_at
  from   invitations
  union all
  select md5(hash || 'reset')::uuid, 'reset', hash, user_id, null, '{}', '', now(), null, expires_at
  from   password_resets
  union all
  select md5(hash || purpose)::uuid, purpose, hash, user_id, null, details, '', now(), null, expires_at
  from   sign_in_attempts
$$;

-- What an older version wrote.
create function copy_to_secrets() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    delete from secrets
    where  secrets.hash = old.hash
    and    not exists (select from earlier_secrets() earlier where earlier.hash = old.hash and earlier.kind = secrets.kind);
  end if;
  if tg_op <> 'DELETE' then
    insert into secrets
    select * from earlier_secrets() earlier where earlier.hash = new.hash
    on conflict on constraint secrets_hash_key do update
    set    last_used_at = excluded.last_used_at, expires_at = excluded.expires_at;
  end if;
  return null;
end $$;

-- What this version wrote.
create function copy_from_secrets() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from links where hash = old.hash and old.kind in ('play', 'share', 'podcast');
    delete from api_tokens where hash = old.hash and old.kind = 'token';
    delete from invitations where hash = old.hash and old.kind = 'invitation';
    delete from password_resets where hash = old.hash and old.kind = 'reset';
    delete from sign_in_attempts where hash = old.hash and purpose = old.kind;
  elsif tg_op = 'UPDATE' then
    -- Nothing waits for the row of an earlier table, which a deletion of the person locks first. It then lacks the time of this use.
    update links set last_used_at = new.last_used_at
    where  link_id in (select link_id from links where hash = new.hash and new.kind in ('play', 'share', 'podcast') for update skip locked);
    update api_tokens set last_used_at = new.last_used_at
    where  id in (select id from api_tokens where hash = new.hash and new.kind = 'token' for update skip locked);
  elsif new.kind in ('play', 'share', 'podcast') then
    insert into links (link_id, user_id, hash, kind, video_id, feed_id, created_at, last_used_at, expires_at)
    values (new.secret_id, new.user_id, new.hash, case new.kind when 'podcast' then 'feed' else new.kind end,
            new.opens->>'video_id', (new.opens->>'podcast_id')::uuid, new.created_at, new.last_used_at, new.expires_at);
  elsif new.kind = 'token' then
    insert into api_tokens (id, user_id, name, scope, hash, created_at, last_used_at, expires_at)
    values (new.secret_id, new.user_id, new.name, new.opens->>'scope', new.hash, new.created_at, new.last_used_at, new.expires_at);
  elsif new.kind = 'invitation' then
    insert into invitations (invitation_id, hash, note, made_by, created_at, expires_at)
    values (new.secret_id, new.hash, new.name, new.made_by, new.created_at, new.expires_at);
  elsif new.kind = 'reset' then
    insert into password_resets (user_id, hash, expires_at)
    values (new.user_id, new.hash, new.expires_at)
    on conflict (user_id) do update set hash = excluded.hash, expires_at = excluded.expires_at;
  elsif new.kind in ('oidc', 'passkey', 'new_passkey') then
    insert into sign_in_attempts (hash, purpose, details, user_id, expires_at)
    values (new.hash, new.kind, new.opens, new.user_id, new.expires_at);
  end if;
  return null;
end $$;

-- No one writes to the earlier tables between their triggers and the copy. A change that a trigger or a foreign key makes is made in both.
create trigger links_copied after insert or update or delete on links
  for each row when (pg_trigger_depth() = 0) execute function copy_to_secrets();
create trigger api_tokens_copied after insert or update or delete on api_tokens
  for each row when (pg_trigger_depth() = 0) execute function copy_to_secrets();
create trigger invitations_copied after insert or update or delete on invitations
  for each row when (pg_trigger_depth() = 0) execute function copy_to_secrets();
create trigger password_resets_copied after insert or update or delete on password_resets
  for each row when (pg_trigger_depth() = 0) execute function copy_to_secrets();
create trigger sign_in_attempts_copied after insert or update or delete on sign_in_attempts
  for each row when (pg_trigger_depth() = 0) execute function copy_to_secrets();
insert into secrets select * from earlier_secrets();
create trigger secrets_copied after insert or update or delete on secrets
  for each row when (pg_trigger_depth() = 0) execute function copy_from_secrets();

-- A locked person has no way in that was opened before; links wait. What the role of an administrator gave, goes with the role.
create or replace function end_access() returns trigger language plpgsql as $$
begin
  if new.locked_at is not null then
    delete from sessions where user_id = new.id;
    delete from secrets where user_id = new.id and kind not in ('play', 'share', 'podcast');
    delete from api_tokens where user_id = new.id;
    delete from password_resets where user_id = new.id;
    delete from sign_in_attempts where user_id = new.id;
  end if;
  if new.locked_at is not null or new.role <> 'admin' then
    delete from secrets where made_by = new.id or (user_id = new.id and opens->>'scope' = 'admin');
    delete from invitations where made_by = new.id;
    delete from api_tokens where user_id = new.id and scope = 'admin';
  end if;
  return null;
end $$;
