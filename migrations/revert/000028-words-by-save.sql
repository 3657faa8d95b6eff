-- The column is made again, because a column cannot become a generated one in Postgres 14 to 16. This rewrites the table.
drop trigger video_entries_words_missing on video_entries;
drop trigger video_entries_words_changed on video_entries;
alter table video_entries drop column words;
alter table video_entries
  add column words tsvector not null generated always as (
    setweight(to_tsvector('simple', translate(left(title, 2000),
      '<“”„«»‹›‘’…–—·•、。！？「」【】（）：，｜', repeat(' ', 28))), 'A') ||
    setweight(to_tsvector('simple', translate(left(coalesce(description, ''), 50000),
      '<“”„«»‹›‘’…–—·•、。！？「」【】（）：，｜', repeat(' ', 28))), 'B')) stored;
create index video_entries_search_idx on video_entries using gin (words, ts_filter(words, '{a}'), (array[user_id]));
drop function make_words;
drop function video_words;
drop function words_in;
