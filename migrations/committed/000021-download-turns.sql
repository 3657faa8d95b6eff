--! Previous: sha1:0560e35ea5d86e4192f75d1154a51cec7a530eca
--! Hash: sha1:923a0ff0f29e76a4015270b8cc278af795e468d9
--! Message: download-turns

-- A download that is put first while all or its site is paused keeps the time of its request, by which an undo finds it.
alter table video_entries
  -- Its place among the downloads without a job. Null: the time of its request.
  add column download_turn_at timestamptz;
