-- Channels that are not followed cannot be stored without a feed address, so they are deleted with their videos. The place in the
-- history is made again, because a column cannot become a generated one in Postgres 14 to 16. This rewrites the table.
delete from channels where rss_url is null;
alter table channels
  drop constraint channels_unfollowed_is_not_fetched,
  drop column page_url,
  alter column rss_url set not null;
drop trigger video_entries_place_missing on video_entries;
drop trigger video_entries_place_changed on video_entries;
drop function place_in_history;
alter table video_entries
  drop column sort_at,
  drop column duration_seconds,
  drop column live_status,
  drop column availability,
  drop column published_precision,
  drop column source;
alter table video_entries
  add column sort_at timestamptz not null
    generated always as (least(coalesce(published_at, first_seen_at), first_seen_at)) stored;
create index video_entries_history_idx on video_entries (user_id, channel_id, sort_at desc, id desc);
create index video_entries_newest_idx on video_entries (user_id, sort_at desc, id desc);
create index video_entries_kept_by_rule_idx on video_entries (user_id, channel_id, sort_at desc)
where download_asked_by = 'rule' and download_status = 'COMPLETED';
