alter table channels
  drop column first_checked_at,
  drop column imported_at;
drop table import_parts, import_lines, imports;
