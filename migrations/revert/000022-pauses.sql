alter table import_lines drop column not_before;

drop table host_looks;

-- Without a person a pause would hold for everyone.
delete from host_pauses where user_id is not null;
drop index host_pauses_person_key;
drop index host_pauses_everyone_key;
alter table host_pauses
  drop column refusals,
  drop column since,
  drop column user_id,
  add primary key (host);
