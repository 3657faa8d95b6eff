--! Previous: sha1:723af7d921f36f235eded2821d275ab451a1f59c
--! Hash: sha1:9bb858e52352f104be8b290e2a54ece757223a31
--! Message: tool-outcomes

-- How downloads ended with which version of yt-dlp: only in numbers over people does it show whether it is too old, or worse than before.
create table tool_outcomes (
  id            bigint generated always as identity primary key,
  user_id       uuid not null references users on delete cascade,
  host          text not null,
  ytdlp_version text not null,
  failed        boolean not null,
  ended_at      timestamptz not null default now()
);
create index tool_outcomes_ended_at on tool_outcomes (ended_at);
create index tool_outcomes_user_id on tool_outcomes (user_id);
