--! Previous: sha1:d14508817ed29485f20e9ae09f242dfdadb5f9de
--! Hash: sha1:22b50908e65f8ec4d92f0ed67847bef1e36523f1
--! Message: shelves

-- What stands on the shelves of the downloads page is little of what somebody has, and a page that polls counts it once a second.
create index video_entries_shelves_idx on video_entries (user_id, download_status)
where download_status <> 'PENDING' or download_requested_at is not null;
