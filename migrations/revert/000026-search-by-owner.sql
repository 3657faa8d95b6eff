create index video_entries_words_idx on video_entries using gin (words);
drop index video_entries_search_idx;
