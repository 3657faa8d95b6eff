create index tool_outcomes_user_id on tool_outcomes (user_id);
alter table tool_outcomes
  drop constraint tool_outcomes_pkey,
  add constraint tool_outcomes_pkey primary key (id);

alter table import_lines
  drop constraint import_lines_import_fkey;
alter table imports
  drop constraint imports_pkey,
  add constraint imports_pkey primary key (id),
  add constraint imports_user_import_key unique (user_id, id);
alter table import_lines
  add constraint import_lines_import_fkey foreign key (user_id, import_id)
    references imports (user_id, id) on delete cascade;

alter table channels
  drop constraint channels_pkey,
  add constraint channels_pkey primary key (id);

alter table video_entries
  drop constraint video_entries_pkey,
  add constraint video_entries_pkey primary key (id);
