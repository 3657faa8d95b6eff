--! Previous: sha1:e9cc2c3592c0a7e17ed852dbb6796d637226a470
--! Hash: sha1:d8d770d04da9c62885306a4d0b30c2d038855082
--! Message: site-facts

-- The copy of another person's file came with the facts in that person's row: its length, whether it was live, and who may watch it. A row
-- may have them from the person's own feed or imported archive, so a false one reached other people. Now each file keeps what its site
-- said when it was fetched, and only that is copied. The column has no values, so adding it takes milliseconds; a copy of a file from
-- before this migration comes without facts.
alter table video_entries
  -- Null: there is no file, or nothing is known of what its site said.
  add column site_facts jsonb;
