--! Previous: sha1:ccb2986f11182d769629a441175ee3162fc10262
--! Hash: sha1:3125c8715c66c90255d9abc78a3f498dd0d89a7d
--! Message: passed-over

-- What a list holds beside channels (remarks, headings, episodes) is left out. How much that was is shown with the import.
alter table imports add column passed_over integer not null default 0;
