alter table workers drop column passed_over;
drop table tool_versions;
drop table turns_given;
drop table rule_holds;
alter table video_entries
  drop column download_kept_bytes,
  drop column download_restarts,
  drop column download_turns_lost,
  drop column download_failures,
  drop column download_reason,
  drop column download_by_rule;
