--! Previous: sha1:66458b24711b691780e24e57a4ab67134d2a064a
--! Hash: sha1:c1257e6afff22d3812e2c8d20b4f391f29087d61
--! Message: folded-letters

-- Search minded how letters are written: "pokemon" did not find "Pokémon", and "café" in composed letters not the same word in decomposed
-- ones. Now what a search compares is folded, as `src/db/search/folded.ts` folds what is typed. Videos and moments with such letters get
-- their words anew, which takes one to two minutes for 200,000 of them. Meanwhile all can be read, and these cannot be changed.

-- The marks that go: the inside of a bracket expression.
create function folded_marks() returns text language sql immutable parallel safe
return '\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc'
  '\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u093c\ufe20-\ufe2f';

-- Common letters and signs that stay as they are: the inside of a bracket expression.
create function kept_letters() returns text language sql immutable parallel safe
return '\u0001-\u007f\u00a1-\u00a7\u00a9\u00ac-\u00ae\u00b0\u00b1\u00b6\u00bf\u00d7\u00f7\u0402-\u040c\u040e-\u044f\u0452-\u045c\u045e\u045f\u05d0-\u05ea'
  '\u0621\u0627\u0628\u062a-\u063a\u0641-\u0648\u064a\u0905-\u0928\u092a-\u0930\u0932\u0933\u0935-\u0939\u093d-\u094d\u0964-\u096f\u0e01-\u0e4c\u0e4e-\u0e5b'
  '\u200d\u2010\u2012\u2016\u201a\u201b\u2020\u2021\u2030\u20ac\u2190-\u2199\u2500-\u27bf\u3003-\u3007\u3041-\u3096\u30a1-\u30fe\u3400-\u9fff\uac00-\ud7a3\ufe0f'
  '\U0001f1e6-\U0001f1ff\U0001f300-\U0001faff';

-- Which letters change, and why, is explained there. The costs are such that Postgres copies no call into another query, and so runs it once.
create function folded_letters(given text) returns text language plpgsql immutable parallel safe cost 1000 as $$
declare
  folded text := regexp_replace(given, '[<“”„«»‹›‘’…–—·•、。！？「」【】（）：，｜｡｢｣､･＇－．／＜＠＿‥\ue000\ue001]', ' ', 'g');
begin
  if folded ~ '[ёЁ]' then
    folded := replace(replace(folded, 'ё', 'е'), 'Ё', 'Е');
  end if;
  -- Looking for letters that change is much quicker than decomposing all.
  if folded !~ ('[^' || kept_letters() || ']') then
    return folded;
  end if;
  folded := normalize(folded, NFKD);
  if folded ~ '[\u0400-\u04ff]' then
    folded := regexp_replace(folded, '([иИуУ]\u0306|[іІ]\u0308|[гГкК]\u0301)|[' || folded_marks() || ']+', '\1', 'g');
  else
    -- Vietnamese has a mark on every third letter, and these go quicker by their names.
    if folded ~ '[\u0309\u031b\u0323]' then
      folded := translate(folded, U&'\0301\0300\0323\0302\0309\0303\031B\0306', '');
    end if;
    folded := regexp_replace(folded, '[' || folded_marks() || ']+', '', 'g');
  end if;
  -- Of letters that look like these signs.
  if folded ~ '[<“”„«»‹›‘’…–—·•、。！？「」【】（）：，｜]' then
    folded := regexp_replace(folded, '[<“”„«»‹›‘’…–—·•、。！？「」【】（）：，｜]', ' ', 'g');
  end if;
  if folded ~ '[ßẞæÆœŒþÞøØłŁđĐðÐħĦŧŦıςىیکة]' then
    folded := replace(replace(folded, 'ß', 'ss'), 'ẞ', 'SS');
    if folded ~ '[æÆœŒþÞøØłŁđĐðÐħĦŧŦıςىیکة]' then
      folded := replace(replace(replace(replace(folded, 'æ', 'ae'), 'Æ', 'AE'), 'œ', 'oe'), 'Œ', 'OE');
      folded := replace(replace(replace(replace(folded, 'ø', 'o'), 'Ø', 'O'), 'ł', 'l'), 'Ł', 'L');
      folded := replace(replace(replace(replace(folded, 'đ', 'd'), 'Đ', 'D'), 'ı', 'i'), 'ς', 'σ');
      folded := replace(replace(replace(replace(folded, 'ى', 'ي'), 'ی', 'ي'), 'ک', 'ك'), 'ة', 'ه');
    end if;
    if folded ~ '[þÞðÐħĦŧŦ]' then
      folded := replace(replace(replace(replace(folded, 'þ', 'th'), 'Þ', 'TH'), 'ð', 'd'), 'Ð', 'D');
      folded := replace(replace(replace(replace(folded, 'ħ', 'h'), 'Ħ', 'H'), 'ŧ', 't'), 'Ŧ', 'T');
    end if;
  end if;
  -- Only these can be composed again: marks that stay, vowel signs, the parts of Korean syllables, and two vowels of Thai and Lao.
  if folded ~ ('[\u0301\u0306\u0308\u09be\u09d7\u0b3e\u0b56\u0b57\u0bbe\u0bd7\u0c56\u0cc2\u0cd5\u0cd6\u0d3e\u0d57\u0dca\u0dcf\u0ddf\u0e4d\u0ecd'
    '\u102e\u1161-\u1175\u11a8-\u11c2\u1b35\u3099\u309a\U00010300-\U00016fff]') then
    folded := replace(replace(normalize(folded, NFC), 'ํา', 'ำ'), 'ໍາ', 'ຳ');
  end if;
  return folded;
end
$$;

-- The text as a search compares it. Text in ASCII has only one of the signs, and most other letters need no folding.
create function folded(given text) returns text language sql immutable parallel safe
return case when octet_length(given) = length(given) then replace(given, '<', ' ') else folded_letters(given) end;

-- As before, of a folded text.
create or replace function words_in(given text) returns tsvector language sql immutable parallel safe
return to_tsvector('simple', case
  when octet_length(given) = length(given) then given
  -- A run keeps its place, or the words before and after it would be a phrase.
  else regexp_replace(given, '[' || unspaced_letters() || ']+', ' unspacedletters ', 'g') end);

create or replace function spaced_words(title text, description text) returns tsvector language sql immutable parallel safe
return setweight(words_in(title), 'A') || setweight(words_in(description), 'B');

-- Folded texts can be longer, so they are cut again.
create or replace function video_words(title text, description text) returns tsvector language plpgsql immutable parallel safe cost 1000 as $$
declare
  a text := left(folded(left(title, 2000)), 2000);
  b text := left(folded(left(coalesce(description, ''), 50000)), 50000);
begin
  if octet_length(a) + octet_length(b) = length(a) + length(b) or a || b !~ ('[' || unspaced_letters() || ']') then
    return spaced_words(a, b);
  end if;
  return ts_delete(spaced_words(a, b), 'unspacedletters') || setweight(pairs_in(a, 2000), 'A') || setweight(pairs_in(b, 100), 'B');
end
$$;

create or replace function said_words(said text) returns tsvector language plpgsql immutable parallel safe cost 1000 as $$
declare
  folded text := left(folded(said), 10000);
begin
  if folded !~ ('[' || unspaced_letters() || ']') then
    return words_in(folded);
  end if;
  return ts_delete(words_in(folded), 'unspacedletters') || pairs_in(folded, 2000);
end
$$;
drop function without_signs;

update video_entries
set    words = video_words(title, description)
where  concat_ws(' ', left(title, 2000), left(description, 50000)) ~ ('[^' || kept_letters() || '<“”„«»‹›‘’…–—·•、。！？「」【】（）：，｜]');

-- A moment has no text, so its words are folded one by one.
update moments
set    words = coalesce((
         select string_agg(
                  concat('''', replace(replace(folded(lexeme), chr(92), repeat(chr(92), 2)), '''', ''''''), '''', ':' || array_to_string(positions, ',')), ' ')
         from   unnest(words)
         where  folded(lexeme) <> ''), '')::tsvector
where  words::text ~ ('[^' || kept_letters() || ']');
