--! Previous: sha1:40cec388d30096504ddefa32b6f0f7821dd2da5e
--! Hash: sha1:d5652d832670b1eb30d5c2136a1cba2a33605f55
--! Message: archive-playlists

-- The playlists of an archive are parts of its import.
alter table import_parts
  drop constraint import_parts_kind,
  add constraint import_parts_kind
    check (kind in ('settings', 'channels', 'videos', 'playlists', 'viewings', 'rules', 'downloads'));
