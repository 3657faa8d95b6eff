drop table import_lines;
drop table imports;
