drop table video_segments, viewings;
alter table channels
  drop column plays_whole;
alter table users
  drop column skip_categories,
  drop column new_filter,
  drop column new_since,
  drop column looked_at;
