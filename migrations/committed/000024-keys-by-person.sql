--! Previous: sha1:239a6e62ce541ad4b0b05f0a049a4792a72fb4ac
--! Hash: sha1:b5cdab1024763e5a32c42477bd02fd4fc9839fa1
--! Message: keys-by-person

-- Every primary key of a person's data begins with the person, so that these tables can be split by person (hash partitions,
-- Citus) without a change to a query. A table of a million videos is locked for about 4 seconds; the other tables are small.
alter table video_entries
  drop constraint video_entries_pkey,
  add constraint video_entries_pkey primary key (user_id, id);

alter table channels
  drop constraint channels_pkey,
  add constraint channels_pkey primary key (user_id, id);

-- The lines refer to the primary key itself. The unique key that they referred to had the same columns.
alter table import_lines
  drop constraint import_lines_import_fkey;
alter table imports
  drop constraint imports_pkey,
  drop constraint imports_user_import_key,
  add constraint imports_pkey primary key (user_id, id);
alter table import_lines
  add constraint import_lines_import_fkey foreign key (user_id, import_id)
    references imports (user_id, id) on delete cascade;

-- The new primary key finds the rows of a person as well as the old index did.
alter table tool_outcomes
  drop constraint tool_outcomes_pkey,
  add constraint tool_outcomes_pkey primary key (user_id, id);
drop index tool_outcomes_user_id;
