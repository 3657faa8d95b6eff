--! Previous: sha1:a9dd7bbf07500b33c18fbeb1c3ca1f723261ec33
--! Hash: sha1:18f874a8cbc4e87f2295f372d50d1a78731587ce
--! Message: waiting

--! no-transaction
-- Who waits for a slot is read from the downloads, person by person and host by host, and no longer from the queue, whose length must not
-- decide how fast a download starts.
create index concurrently if not exists video_entries_waiting_idx on video_entries (user_id, coalesce(video_host, ''))
where standing = 'waiting' and download_status = 'PENDING' and download_asked_by = 'person' and download_paused_at is null;
