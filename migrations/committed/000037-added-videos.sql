--! Previous: sha1:e79f2e23753eab462a8eb0871051a79d7248211a
--! Hash: sha1:650ead7f484fa5c40f13b9c51a088b2fc698a63f
--! Message: added-videos

-- The page of a channel says how many of its videos a person added by their address, because these stay when the channel is
-- unfollowed. The index has only those videos, so it costs others nothing. Building it reads the table once: about half a second at a
-- million videos, during which videos can be read but not written.
create index video_entries_added_idx on video_entries (user_id, channel_id) where source = 'address';
