drop trigger channels_followed_later on channels;
drop trigger channels_followed on channels;
drop function use_default_rule;
drop trigger video_entries_judge_changed on video_entries;
drop function judge_changed_entry;
drop trigger video_entries_removed on video_entries;
drop trigger video_entries_added on video_entries;
drop function count_entries;
drop function judge_later;
update channels set entry_count = 0;

drop table rule_holds, channel_rules;
drop index video_entries_kept_by_rule_idx;
alter table video_entries
  drop column pinned;
alter table users
  drop column default_rule;
