--! Previous: sha1:c71b2d3ef0c3a369576d1b71839ad95a2c19350d
--! Hash: sha1:e9cc2c3592c0a7e17ed852dbb6796d637226a470
--! Message: media-stamps

-- A video whose link is missing in the tree of its person was deleted in a media server, so its file is deleted too. But a folder from an
-- earlier MEDIA_DIR, a copy of the folder, and the folder of another worker miss links for other reasons. Each update that writes links
-- gives the tree a new stamp, in its marker file and here. Only the folder with this stamp reports deletions; every other one is filled
-- again. Existing trees have no stamp, so they are filled again once. The table has one row per person, and the column has no values, so
-- adding it takes milliseconds.
alter table media_trees
  -- Null: nothing was ever written.
  add column stamp uuid;
