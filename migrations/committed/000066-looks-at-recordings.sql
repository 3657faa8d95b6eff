--! Previous: sha1:c1257e6afff22d3812e2c8d20b4f391f29087d61
--! Hash: sha1:15c017d4bbba7d243eea64b0d62572819001936f
--! Message: looks-at-recordings

-- A look, too, took a stream whose recording was not ready for a removed video, and a rule refuses those for ever. These are looked up once
-- more, over a day. The rows are found in one pass over the videos: about a second for a million of them.
update video_entries
set    look_at = now() + random() * interval '1 day', looks = 1
where  availability = 'removed' and live_status is not null and look_at is null;
