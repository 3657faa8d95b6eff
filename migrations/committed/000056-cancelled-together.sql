--! Previous: sha1:e7dce0c5f5e9d3bab0a47ca7f34a3166194eaa47
--! Hash: sha1:c9cd566e51b63f277772112c002b0eec32adf949
--! Message: cancelled-together

-- One press cancels everything that is queued, so one press must bring it back: the time says which downloads were cancelled together.
alter table video_entries add column download_cancelled_at timestamptz;
