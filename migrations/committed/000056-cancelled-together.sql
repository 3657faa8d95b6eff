--! Previous: sha1:c5176604c97067daf9ad8786208956cad66389c0
--! Hash: sha1:e76db05c165caaae16dcdf4ba72fc2f32e481876
--! Message: cancelled-together

-- One press cancels everything that is queued, so one press must bring it back: the time says which downloads were cancelled together.
alter table video_entries add column download_cancelled_at timestamptz;
create index video_entries_cancelled_idx on video_entries (user_id, download_cancelled_at) where download_cancelled_at is not null;
