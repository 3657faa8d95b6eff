--! Previous: sha1:29af4e12a76855e409483f0752ccf7247935a821
--! Hash: sha1:3d51f0c9ef9e9540bb744c824107311db3660b8d
--! Message: search-by-owner

-- The index answers for one person: it has the owner of each video, and the words of titles separately. Before, a search read
-- how often a word occurs in the libraries of all people. The new index is about 15 % larger. Building it takes about a minute
-- for a million videos; meanwhile they can be read, but not saved or changed.
create index video_entries_search_idx on video_entries using gin (words, ts_filter(words, '{a}'), (array[user_id]));
drop index video_entries_words_idx;
