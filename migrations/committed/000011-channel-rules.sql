--! Previous: sha1:9017cd1341334f37acbb1d3d3be6174b34e3ef45
--! Hash: sha1:8110801c2f1a2034781c4bd1584c962e4b6ca382
--! Message: channel-rules

-- New videos of a channel can be fetched without a click: what a channel's rule lets through, and for how long it is kept.
create table channel_rules (
  user_id       uuid not null,
  channel_id    text not null,
  -- Null: off. Only what was first seen after it is fetched.
  on_since      timestamptz,
  -- A title must have one of these words, and none of those without; empty: every title will do.
  title_words   text[] not null default '{}',
  without_words text[] not null default '{}',
  title_pattern text,
  skip_shorts   boolean not null default false,
  -- How many files, and for how many days; null: all, and for ever.
  keep_newest   smallint constraint channel_rules_keep_newest check (keep_newest > 0),
  keep_days     smallint constraint channel_rules_keep_days check (keep_days > 0),
  constraint channel_rules_pkey primary key (user_id, channel_id),
  constraint channel_rules_channel_fkey foreign key (user_id, channel_id)
    references channels (user_id, channel_id) on delete cascade
);

alter table video_entries
  -- Who asked last, a person or a rule; never cleared: what was ever asked for, and then deleted, no rule fetches again.
  add column download_asked_by text
    constraint video_entries_asked_by check (download_asked_by in ('person', 'rule')),
  -- No rule lets it go.
  add column pinned boolean not null default false;
update video_entries
set    download_asked_by = 'person'
where  download_requested_at is not null or download_status <> 'PENDING';

-- What a rule may let go.
create index video_entries_kept_by_rule_idx on video_entries (user_id, channel_id, sort_at desc)
where download_asked_by = 'rule' and download_status = 'COMPLETED';
