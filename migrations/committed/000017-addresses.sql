--! Previous: sha1:371b0d094b8eaaa043c49045c43448ca4ab55f93
--! Hash: sha1:40cec388d30096504ddefa32b6f0f7821dd2da5e
--! Message: addresses

-- Finds the stored video at a pasted address whose identifier is not made from that address: of a feed that serves the videos of another
-- site, or from an archive. By a hash, because an address may be longer than an entry of an index.
create index video_entries_address_idx on video_entries (user_id, hashtextextended(video_url, 0));
