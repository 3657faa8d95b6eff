--! Previous: sha1:81e7e1d7897489e98bc340d858923e5f6b124e52
--! Hash: sha1:503f2b4b537a84d5716ceb81e3db3b57725d1e80
--! Message: host-probes

-- A person can let one download try a site before its pause ends. A site is tried once a minute at most, whoever asks.

create table host_probes (
  host      text constraint host_probes_pkey primary key,
  user_id   uuid not null constraint host_probes_user_fkey references users (id) on delete cascade,
  -- The download that may start; null: it has ended.
  video_id  text,
  probed_at timestamptz not null default now()
);
