--! Previous: sha1:84352a8d7bf524968b7c812e6c2cc64f58a452b5
--! Hash: sha1:81e7e1d7897489e98bc340d858923e5f6b124e52
--! Message: new-filter

-- The page New remembers what a person last limited it to. Without a value it shows all videos. Adding the column takes milliseconds.
alter table users add column new_filter jsonb;
