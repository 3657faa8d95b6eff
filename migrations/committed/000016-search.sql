--! Previous: sha1:9624281ae0999c3bd0e304e906f1b7d19b10aa8c
--! Hash: sha1:ccb2986f11182d769629a441175ee3162fc10262
--! Message: search

-- Words to find videos by, ready in the row; and the picture that a feed names for its channel.
alter table video_entries
  -- Without the grammar of any language, because videos are in all of them. Bounded, because a list of words may hold no
  -- more than a megabyte, and a feed must be saved whatever stands in it. A database of the locale C takes signs outside
  -- ASCII for letters: the commonest that end a word become spaces. `<` too, or Postgres would leave out what looks like HTML.
  add column words tsvector not null generated always as (
    setweight(to_tsvector('simple', translate(left(title, 2000),
      '<“”„«»‹›‘’…–—·•、。！？「」【】（）：，｜', repeat(' ', 28))), 'A') ||
    setweight(to_tsvector('simple', translate(left(coalesce(description, ''), 50000),
      '<“”„«»‹›‘’…–—·•、。！？「」【】（）：，｜', repeat(' ', 28))), 'B')) stored;
create index video_entries_words_idx on video_entries using gin (words);

alter table channels
  -- Null: the feed names none.
  add column image_url text;
