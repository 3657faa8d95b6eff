--! Previous: sha1:e75aadaabfb0aeed856931bf7b3ae771357a6e8d
--! Hash: sha1:1f9a571c7d1d07263d5c0b0657e8825163105624
--! Message: file-streams

-- What the file of a video contains, as the file itself says it, so that pages can tell which devices play it; and the quality in which a
-- person wants one video, whatever its channel has.
alter table video_entries
  -- {"video": {codec, width, height, frame_rate} or null, "sounds": [{codec, language}], …}. Null: there is no file, or it was not read.
  add column file_streams   jsonb,
  -- Null: the quality of the channel, or of its person.
  add column wanted_quality text;
