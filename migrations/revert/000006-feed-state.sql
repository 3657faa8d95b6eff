drop index channels_rss_url_idx;
drop index channels_next_fetch_at_idx;
create index channels_last_fetched_at_idx on channels (last_fetched_at);

alter table channels
  drop column refresh_asked_at,
  drop column failing_since,
  drop column next_fetch_at,
  drop column every_minutes,
  drop column body_hash,
  drop column last_modified,
  drop column etag;
