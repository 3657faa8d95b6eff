--! Previous: sha1:808b86f4a52e326142df03b562292367b05db85f
--! Hash: sha1:cf55ee503e1cd5c091bd499f139a2ae91b61cd18
--! Message: shared-files

-- A video that several people download in the same quality is fetched and stored once. The rows of those who have it are the only list of
-- what can be shared: a run looks for another person's file of the same address and quality, and copies it by a hard link. The columns
-- have no values for existing rows, so adding them takes milliseconds; files from before this migration are not shared. Building the
-- index reads the table once: about half a second at a million videos, during which videos can be read but not written.
alter table video_entries
  -- The quality of the file, or that the run fetches. Null: there is neither, or the file must not be shared.
  add column download_quality text,
  -- Of the address from which the file was fetched, which may have changed in the feed since. Without a file: of the address that is
  -- requested. Addresses of one video at a known platform have the same. Null: neither, or nothing is shared.
  add column address_hash     uuid,
  -- Of the words of this person's own entry that the file contains. Null: the file contains only what its site says.
  add column words_hash       text,
  -- The file was copied, or the run copies it, from another person's. Its site was not requested.
  add column download_copied  boolean not null default false;
create index video_entries_same_video_idx on video_entries (address_hash, download_quality, standing)
where address_hash is not null;

-- A run that fetches a video has ended, in any way: with or without a file, or because its video was deleted. Those who wait for the same
-- video get the file, or the next of them tries. A trigger, because deletions reach the videos by cascade. The jobs have no key, because
-- two transactions that end the same runs in another order would wait for each other.
create function share_after_run() returns trigger language plpgsql as $$
begin
  perform graphile_worker.add_job('share-ended', json_build_object('address_hash', old.address_hash));
  return null;
end
$$;
create trigger video_entries_run_ended after update on video_entries
  for each row when (
    old.download_claim is not null and new.download_claim is distinct from old.download_claim
    and old.address_hash is not null and not old.download_copied)
  execute function share_after_run();
create trigger video_entries_run_deleted after delete on video_entries
  for each row when (old.download_claim is not null and old.address_hash is not null and not old.download_copied)
  execute function share_after_run();
