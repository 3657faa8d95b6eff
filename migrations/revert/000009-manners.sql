alter table workers drop column report;

drop table host_pauses;

drop index video_entries_ended_idx;
drop index video_entries_running_idx;
alter table video_entries
  drop column download_detail,
  drop column video_host;
