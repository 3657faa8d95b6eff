--! Previous: sha1:a2b706821f12312ed4bc36526124a9e1ad0faccf
--! Hash: sha1:7e8d899ff21aa1b2b600ccdd779b836de739a7f4
--! Message: pauses

-- Pauses of one person. What one person's download or import meets holds for that person alone; a pause without a person
-- holds for everyone, and is made only after the service has seen the host refuse. Old pauses rested on text that a site
-- can choose, so they end now. A line of an import waits by itself where another host than its own refused it.
delete from host_pauses;
alter table host_pauses
  drop constraint host_pauses_pkey,
  add column user_id uuid references users (id) on delete cascade,
  add column since timestamptz not null default now(),
  -- In a row; each pause is longer than the one before.
  add column refusals int not null default 1 check (refusals > 0);
create unique index host_pauses_everyone_key on host_pauses (host) where user_id is null;
create unique index host_pauses_person_key on host_pauses (user_id, host) where user_id is not null;

-- When the service last wanted to see for itself, so that no host is asked more than once in a few minutes.
create table host_looks (
  host      text primary key,
  looked_at timestamptz not null default now(),
  -- The feed that was refused; null: a download was.
  rss_url   text
);

alter table import_lines add column not_before timestamptz;
