alter table viewings drop column imported_at;
alter table imports drop column content;
drop table import_parts;
