--! Previous: sha1:d8d770d04da9c62885306a4d0b30c2d038855082
--! Hash: sha1:c4425a44bb0f781f2446c7f6e0d1118ac9cd002e
--! Message: imports-while-read

-- A file that is imported is read for minutes. Its parts are stored in transactions of their own, so that no long one keeps vacuum from
-- cleaning up. Until it is read to its end, the import is not shown.
-- And an import makes a person follow channels without fetching their feeds. What the first check of such a feed finds has appeared
-- before, so no rule may download it. The new columns have constant values for existing rows, so this takes milliseconds at any size.
alter table imports add column being_read boolean not null default false;
create index imports_being_read_idx on imports (created_at) where being_read;

alter table channels
  -- When an import made it followed, or brought its rule. Null: neither. Rules are for videos published since then.
  add column imported_at      timestamptz,
  -- The first check of its feed after an import. A video without a date that it found is an earlier one. Null: not yet.
  add column first_checked_at timestamptz;
