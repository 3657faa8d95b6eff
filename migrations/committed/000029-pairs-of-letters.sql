--! Previous: sha1:9d6eff636095bebf0af3dfb739f3b143e2245c76
--! Hash: sha1:d1c1a66324f2b612251f279fb8e4026f25be41ab
--! Message: pairs-of-letters

-- Scripts without spaces between words are searched by pairs of letters: each letter with the one after it, and the last one alone. Before,
-- such a search compared the titles of all videos. A pair costs a save 5 µs, so a description has those of its first 100 letters. The index
-- is built again, because updating it takes four times as long: two minutes for a million videos. Videos with such letters are written
-- again, which takes four more minutes if a million have them. Meanwhile nothing can read or write videos.

-- Thai, Lao, Tibetan, Myanmar, Khmer, Han, Hiragana and Katakana: the inside of a bracket expression.
create function unspaced_letters() returns text language sql immutable parallel safe
return '\u0e00-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3041-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff'
  '\ua9e0-\ua9ff\uaa60-\uaa7f\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff';

-- The runs are separated by spaces. The pairs that begin at the first, third, fifth letter, and then those between them.
create function pairs_of(runs text) returns tsvector language sql immutable parallel safe
return regexp_replace(runs || ' ' || regexp_replace(runs, '[^ ]([^ ]*)', '\1', 'g'), '([^ ][^ ]?)', '''\1'':1 ', 'g')::tsvector;

-- Most texts have none of the signs, and looking for them is quicker than replacing them.
create function without_signs(given text) returns text language sql immutable parallel safe
return case
  when given ~ '[<“”„«»‹›‘’…–—·•、。！？「」【】（）：，｜]'
  then translate(given, '<“”„«»‹›‘’…–—·•、。！？「」【】（）：，｜', repeat(' ', 28))
  else given end;

create function pairs_in(given text, most_letters int) returns tsvector language sql immutable parallel safe
return pairs_of(left(regexp_replace(given, '[^' || unspaced_letters() || ']+', ' ', 'g'), most_letters));

create or replace function words_in(given text) returns tsvector language sql immutable parallel safe
return to_tsvector('simple', case
  -- A text in ASCII has none of these letters, and only one of the signs.
  when octet_length(given) = length(given) then replace(given, '<', ' ')
  -- A run keeps its place, or the words before and after it would be a phrase.
  else without_signs(regexp_replace(given, '[' || unspaced_letters() || ']+', ' unspacedletters ', 'g')) end);

create function spaced_words(title text, description text) returns tsvector language sql immutable parallel safe
return setweight(words_in(left(title, 2000)), 'A') || setweight(words_in(left(coalesce(description, ''), 50000)), 'B');

create or replace function video_words(title text, description text) returns tsvector language sql immutable parallel safe
return case
  when left(title, 2000) || left(coalesce(description, ''), 50000) ~ ('[' || unspaced_letters() || ']')
  then ts_delete(spaced_words(title, description), 'unspacedletters')
    || setweight(pairs_in(left(title, 2000), 2000), 'A')
    || setweight(pairs_in(left(coalesce(description, ''), 50000), 100), 'B')
  else spaced_words(title, description) end;

drop index video_entries_search_idx;
update video_entries
set    words = video_words(title, description)
where  concat_ws(' ', title, description) ~ ('[' || unspaced_letters() || ']');
create index video_entries_search_idx on video_entries using gin (words, ts_filter(words, '{a}'), (array[user_id]));
