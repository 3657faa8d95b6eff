drop index video_entries_live_idx;
drop index viewings_not_for_me_idx;
drop index viewings_later_idx;
alter table viewings drop column not_for_me_at, drop column later_at;
alter table deleted_channels drop column group_ids;
drop table channel_groups;
drop table groups;
