--! Previous: sha1:0e1e4dc24b1b5a37cbc513dcc8c5ab417864f8ce
--! Hash: sha1:9624281ae0999c3bd0e304e906f1b7d19b10aa8c
--! Message: shelves

-- What stands on the shelves of the downloads page is little of what somebody has, and a page that polls counts it once a second.
create index video_entries_shelves_idx on video_entries (user_id, download_status)
where download_status <> 'PENDING' or download_requested_at is not null;
