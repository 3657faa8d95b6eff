drop table saved_searches, moments, transcripts;
alter table users
  drop column captions_at,
  drop column captions_of_all;

drop trigger video_entries_words_changed on video_entries;
drop trigger video_entries_words_missing on video_entries;
drop function make_words;
drop index video_entries_search_idx;
alter table video_entries
  drop column words;

drop function said_words, video_words, spaced_words, words_in, pairs_in, pairs_of, unspaced_letters;
drop function folded, folded_letters, kept_letters, folded_marks;
