--! Previous: sha1:9bb858e52352f104be8b290e2a54ece757223a31
--! Hash: sha1:a2b706821f12312ed4bc36526124a9e1ad0faccf
--! Message: skipped

-- A feed that was read may still have entries that could not be: what the last visit left out is shown at the channel.
alter table channels
  add column skipped      integer not null default 0 constraint channels_skipped check (skipped >= 0),
  -- As a sentence; null: nothing to say.
  add column feed_warning text;
