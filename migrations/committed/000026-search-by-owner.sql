--! Previous: sha1:afff648a4ceac099928895e84a057dd8930983f6
--! Hash: sha1:bea122f2c083a3c8a873002759d29090ebf6959c
--! Message: search-by-owner

-- The index answers for one person: it has the owner of each video, and the words of titles separately. Before, a search read
-- how often a word occurs in the libraries of all people. The new index is about 15 % larger. Building it takes about a minute
-- for a million videos; meanwhile they can be read, but not saved or changed.
create index video_entries_search_idx on video_entries using gin (words, ts_filter(words, '{a}'), (array[user_id]));
drop index video_entries_words_idx;
