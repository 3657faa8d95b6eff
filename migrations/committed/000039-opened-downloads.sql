--! Previous: sha1:4f981e0e4ec38788423d927971790363b046a1da
--! Hash: sha1:9a679587666c921805f724a7cdcb7c7aa7f495c6
--! Message: opened-downloads

-- Downloads whose video has opened are looked for every minute and after each look, which read all failed downloads. The new index has
-- only those that are about to be requested again, so it is nearly empty. About a second at a million videos, in which none is written.
create index video_entries_opened_idx on video_entries (user_id, video_id)
where standing = 'failed' and download_reason in ('members', 'private')
and   (availability is null or availability not in ('members_only', 'private', 'removed'));
