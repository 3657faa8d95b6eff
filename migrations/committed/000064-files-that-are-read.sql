--! Previous: sha1:8897339771e1b454f36e08e5ef7cd61dc8ad6dcf
--! Hash: sha1:66458b24711b691780e24e57a4ab67134d2a064a
--! Message: files-that-are-read

-- A file knows how long it is and which chapters it has, which was not stored where the site says nothing. Each finished download stores it
-- now; files from before are read one after another, so the row remembers that its file was read. The default is a constant, so the table is
-- not written anew. The index holds only files that were not read, and is empty when all were.
alter table video_entries
  add column file_is_read boolean not null default false;

create index video_entries_unread_files_idx on video_entries (user_id, video_id)
  where download_status = 'COMPLETED' and not file_is_read;
