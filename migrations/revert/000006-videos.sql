drop table picture_pass, pictures;
drop trigger video_entries_plan_look on video_entries;
drop function plan_look;
drop trigger video_entries_place_changed on video_entries;
drop trigger video_entries_place_missing on video_entries;
drop function place_in_history;

-- The indexes of these columns go with them.
alter table video_entries
  drop constraint video_entries_pkey,
  drop constraint video_entries_video_key,
  add constraint video_entries_pkey primary key (id),
  add constraint video_entries_video_key unique (user_id, channel_id, video_id),
  drop column first_seen_at,
  drop column sort_at,
  drop column guid,
  drop column moved_id,
  drop column video_host,
  drop column duration_seconds,
  drop column live_status,
  drop column availability,
  drop column published_precision,
  drop column source,
  drop column chapters,
  drop column look_at,
  drop column looked_at,
  drop column looks;
