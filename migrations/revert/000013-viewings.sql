alter table users drop column new_since, drop column looked_at;
drop table viewings;
