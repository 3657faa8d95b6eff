drop trigger video_entries_plan_look on video_entries;
drop function plan_look;
alter table channels
  drop column list_at,
  drop column list_since,
  drop column listed_at,
  drop column pictured_at;
alter table video_entries
  drop column look_at,
  drop column looked_at,
  drop column looks;
