--! Previous: sha1:8a1acb9a9a939783d77a3192de19ed221eaa57f7
--! Hash: sha1:3f3a0f2a4d713df6a4db2609052d940266ece82f
--! Message: sounds

-- The sound of films for podcasts. It is cut out of a film once, and lies beside it. file_size of a film on disk includes it, so that
-- every sum of a person's space does.
create table sounds (
  user_id       uuid        not null constraint sounds_user_id_fkey references users (id) on delete cascade,
  video_id      text        not null,
  -- The film, by its download_path and its download_completed_at. A later file of the video has no sound yet.
  download_path text        not null,
  completed_at  timestamptz not null,
  -- Bytes. Null: the sound could not be cut out.
  size          bigint,
  -- Why not, in words.
  fault         text,
  -- When to try again. Null: never.
  retry_at      timestamptz,
  created_at    timestamptz not null default now(),
  constraint sounds_pkey primary key (user_id, video_id),
  constraint sounds_outcome check (num_nonnulls(size, fault) = 1)
);
