--! Previous: sha1:b5eb49aadc5d5c4b046415394cf09cdc1bd328f1
--! Hash: sha1:9017cd1341334f37acbb1d3d3be6174b34e3ef45
--! Message: lost-claims

-- Whoever runs a download that is cancelled, handed on, or deleted with its channel learns of it at once. A trigger, because
-- a deletion reaches the videos by cascade, and no way of taking a download from its worker may ever forget to tell.
create or replace function tell_lost_claim() returns trigger
language plpgsql as $$
begin
  perform pg_notify('download_claim_lost', old.download_claim::text);
  return null;
end
$$;

drop trigger if exists video_entries_claim_taken on video_entries;
create trigger video_entries_claim_taken
  after update on video_entries
  for each row
  when (old.download_claim is not null and new.download_claim is distinct from old.download_claim)
  execute function tell_lost_claim();

drop trigger if exists video_entries_claim_deleted on video_entries;
create trigger video_entries_claim_deleted
  after delete on video_entries
  for each row
  when (old.download_claim is not null)
  execute function tell_lost_claim();
