--! Previous: sha1:b27fbd7eeb6105eb4f8ad3148f10693ee67483fe
--! Hash: sha1:c1f189669c59c61eb5e7e8bbd42accebc125b271
--! Message: service

-- The service itself: which workers are alive, which hosts refuse it, and how well yt-dlp works. The queue has tables of its own, which
-- graphile-worker creates.

-- Each worker process reports here that it is alive. Jobs that a dead one had locked are set free.
create table workers (
  -- The id of graphile-worker's pool, as in `locked_by`.
  id           text        constraint workers_pkey primary key,
  heartbeat_at timestamptz not null default now(),
  -- What the worker found on its machine, for the status page. Null: it downloads nothing.
  report       jsonb,
  -- The flags of the downloads that it skips at the moment, so that the shown places in the queue follow what workers do.
  passed_over  text[]
);

-- Until when a host gets no requests. A refusal of one person's download or import pauses the host for that person alone, because a site
-- chooses its own words. A pause for everyone is made only after the service itself has seen the host refuse.
create table host_pauses (
  host     text        not null,
  until    timestamptz not null,
  reason   text        not null,
  -- Null: for everyone.
  user_id  uuid        constraint host_pauses_user_id_fkey references users (id) on delete cascade,
  since    timestamptz not null default now(),
  -- Refusals in a row. Each pause is longer than the one before.
  refusals integer     not null default 1 constraint host_pauses_refusals_check check (refusals > 0)
);
create unique index host_pauses_everyone_key on host_pauses (host) where user_id is null;
create unique index host_pauses_person_key on host_pauses (user_id, host) where user_id is not null;

-- When the service last checked by its own request whether a host refuses, so that no host is asked more than once in a few minutes.
create table host_looks (
  host      text        constraint host_looks_pkey primary key,
  looked_at timestamptz not null default now(),
  -- The feed that was refused. Null: a download was.
  rss_url   text
);

-- A person can let one download try a site before its pause ends. A site is tried once a minute at most. Each person has a row, so
-- that a newer probe does not take the place of one that still runs.
create table host_probes (
  host      text        not null,
  user_id   uuid        not null constraint host_probes_user_fkey references users (id) on delete cascade,
  -- The download that may start. Null: it has ended.
  video_id  text,
  probed_at timestamptz not null default now(),
  constraint host_probes_pkey primary key (host, user_id)
);

-- How downloads ended with which version of yt-dlp. Only numbers over people show whether it is too old, or worse than the one before.
create table tool_outcomes (
  id            bigint      not null generated always as identity,
  user_id       uuid        not null constraint tool_outcomes_user_id_fkey references users (id) on delete cascade,
  host          text        not null,
  ytdlp_version text        not null,
  failed        boolean     not null,
  ended_at      timestamptz not null default now(),
  constraint tool_outcomes_pkey primary key (user_id, id)
);
create index tool_outcomes_ended_at on tool_outcomes (ended_at);

-- The versions that workers last reported. A new version may do what the one before could not.
create table tool_versions (
  tool    text constraint tool_versions_pkey primary key,
  version text not null
);
