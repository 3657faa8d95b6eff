--! Previous: sha1:4b0c9e5424892bf8edccb142b79cf1f9806da569
--! Hash: sha1:1607133380d02af6b618ad4797247fde2f3e5abd
--! Message: identity

-- A video whose address changes is known again: by what its feed calls it (`guid`), null where the platform's identifier
-- says it better; and from then on by its new address as well (`moved_id`, made from it as `video_id` was from the first).
alter table video_entries
  add column guid     text,
  add column moved_id text;
create unique index video_entries_guid_key on video_entries (user_id, channel_id, guid) where guid is not null;
create index video_entries_moved_idx on video_entries (user_id, channel_id, moved_id) where moved_id is not null;
