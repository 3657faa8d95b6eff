alter table channels drop column first_checked_at, drop column imported_at;
delete from imports where being_read;
alter table imports drop column being_read;
