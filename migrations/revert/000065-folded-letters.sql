-- The functions are as before, and videos whose words were folded get them anew, like on the way there. Moments keep folded words: their
-- text is not in the database, and a search without marks finds them.
create function without_signs(given text) returns text language sql immutable parallel safe
return case
  when given ~ '[<“”„«»‹›‘’…–—·•、。！？「」【】（）：，｜]'
  then translate(given, '<“”„«»‹›‘’…–—·•、。！？「」【】（）：，｜', repeat(' ', 28))
  else given end;

create or replace function words_in(given text) returns tsvector language sql immutable parallel safe
return to_tsvector('simple', case
  -- A text in ASCII has none of these letters, and only one of the signs.
  when octet_length(given) = length(given) then replace(given, '<', ' ')
  -- A run keeps its place, or the words before and after it would be a phrase.
  else without_signs(regexp_replace(given, '[' || unspaced_letters() || ']+', ' unspacedletters ', 'g')) end);

create or replace function spaced_words(title text, description text) returns tsvector language sql immutable parallel safe
return setweight(words_in(left(title, 2000)), 'A') || setweight(words_in(left(coalesce(description, ''), 50000)), 'B');

create or replace function video_words(title text, description text) returns tsvector language sql immutable parallel safe
return case
  when left(title, 2000) || left(coalesce(description, ''), 50000) ~ ('[' || unspaced_letters() || ']')
  then ts_delete(spaced_words(title, description), 'unspacedletters')
    || setweight(pairs_in(left(title, 2000), 2000), 'A')
    || setweight(pairs_in(left(coalesce(description, ''), 50000), 100), 'B')
  else spaced_words(title, description) end;

create or replace function said_words(said text) returns tsvector language sql immutable parallel safe
return case
  when said ~ ('[' || unspaced_letters() || ']')
  then ts_delete(words_in(said), 'unspacedletters') || pairs_in(said, 2000)
  else words_in(said) end;

update video_entries
set    words = video_words(title, description)
where  concat_ws(' ', left(title, 2000), left(description, 50000)) ~ ('[^' || kept_letters() || '<“”„«»‹›‘’…–—·•、。！？「」【】（）：，｜]');

drop function folded(text);
drop function folded_letters(text);
drop function folded_marks();
drop function kept_letters();
