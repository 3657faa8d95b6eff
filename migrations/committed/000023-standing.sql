--! Previous: sha1:7e8d899ff21aa1b2b600ccdd779b836de739a7f4
--! Hash: sha1:239a6e62ce541ad4b0b05f0a049a4792a72fb4ac
--! Message: standing

-- The database computes where each download stands, so that every query asks the same question. Adding the column rewrites the
-- table and all its indexes, once, while nothing else can read or write it: about a minute for a million videos.
alter table video_entries
  -- Null: neither requested nor on disk. `waiting` includes a download that failed and has another attempt planned.
  add column standing text generated always as (
    case
      when download_status = 'DOWNLOADING'   then 'running'
      when download_status = 'COMPLETED'     then 'done'
      when download_requested_at is not null then 'waiting'
      when download_status = 'FAILED'        then 'failed'
    end) stored;

-- For the shelves of one person, and for questions about one standing over all people. Most videos have none.
drop index video_entries_shelves_idx;
create index video_entries_standing_idx on video_entries (standing, user_id) where standing is not null;
