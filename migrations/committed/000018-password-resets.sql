--! Previous: sha1:3125c8715c66c90255d9abc78a3f498dd0d89a7d
--! Hash: sha1:0ac7a8d973cbb76c20ed934252d5a42f0eb02acc
--! Message: password-resets

-- Links that let a person choose a new password, made by the person who runs the service.
create table password_resets (
  -- One at most: a new link replaces the one before.
  user_id    uuid primary key constraint password_resets_user_fkey references users (id) on delete cascade,
  -- Of the token in the link, which is shown once and kept nowhere.
  hash       text not null constraint password_resets_hash_key unique,
  expires_at timestamptz not null
);
