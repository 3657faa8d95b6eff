--! Previous: sha1:89505ba5082b21dc2a71b1b34dae3e94aab04470
--! Hash: sha1:d77edc0fca767252e1677e2313395b646843fe32
--! Message: chapters

-- The chapters that a site names for a video were only written into its file, so a page could not show them. The watch page reads them
-- alone: lists of videos do not. The column has no values, so adding it takes milliseconds.
alter table video_entries
  -- Null: none are known.
  add column chapters jsonb;
