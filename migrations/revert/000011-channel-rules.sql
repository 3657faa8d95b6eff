drop index video_entries_kept_by_rule_idx;
alter table video_entries
  drop column pinned,
  drop column download_asked_by;

drop table channel_rules;
