-- The rows with such letters are written again, like on the way there.
create or replace function words_in(given text) returns tsvector language sql immutable parallel safe
return to_tsvector('simple',
  -- Most texts have none of the signs, and looking for them is quicker than replacing them.
  case when given ~ '[<“”„«»‹›‘’…–—·•、。！？「」【】（）：，｜]'
       then translate(given, '<“”„«»‹›‘’…–—·•、。！？「」【】（）：，｜', repeat(' ', 28))
       else given end);

create or replace function video_words(title text, description text) returns tsvector language sql immutable parallel safe
return setweight(words_in(left(title, 2000)), 'A') || setweight(words_in(left(coalesce(description, ''), 50000)), 'B');

drop index video_entries_search_idx;
update video_entries
set    words = video_words(title, description)
where  concat_ws(' ', title, description) ~ ('[' || unspaced_letters() || ']');
create index video_entries_search_idx on video_entries using gin (words, ts_filter(words, '{a}'), (array[user_id]));

drop function without_signs;
drop function spaced_words;
drop function pairs_in;
drop function pairs_of;
drop function unspaced_letters;
