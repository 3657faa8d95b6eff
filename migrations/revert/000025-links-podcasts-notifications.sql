drop table service_notices;
drop table web_push_keys;
drop table messages;
drop table notifications;
drop table notification_targets;
alter table users
  drop column messages_a_day,
  drop column time_zone,
  drop column quiet_to,
  drop column quiet_from;
alter table groups drop column bell;
alter table channels drop column bell;
drop table links;
drop table podcast_feeds;
