--! Previous: sha1:70107c414fbb470c256b5d9bd8d12f1b90dc205c
--! Hash: sha1:495a80a2e96d20a2c655f4122b5ea3784e9d8b5a
--! Message: words

-- Words whose forms differ in signs find each other: "Wi-Fi" and "wifi", "O’Neill" and "oneill". A word is a run of letters and digits; words
-- that signs divide are also stored as one. `src/db/words/folded.ts` and `search-text.ts` do the same with what a person types.

-- The insides of bracket expressions.
create function hidden_signs() returns text language sql immutable parallel safe
return '\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0'
  '\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff';
create function dashes() returns text language sql immutable parallel safe
return '\u00b7\u058a\u05be\u1400\u1806\u2010-\u2015\u2027\u2212\u2219\u29f8\u2e17\u2e1a\u2e3a\u2e3b\u2e40\u2e5d\u301c\u3030\u30a0\ufe31\ufe32\ufe58\ufe63\uff0d'
  '\U00010d6e\U00010ead';
create function apostrophes() returns text language sql immutable parallel safe
return '\u00b4\u02b9-\u02bf\u02c8\u02ca\u02cb\u02ee\u055a\u05f3\u05f4\u07f4\u07f5\u2018\u2019\u201b\u2032\u2035\ua78b\ua78c\u1fbf\u1ffd\uff07';

-- Signs by their class, which a test compares with Unicode: characters that are not shown are removed, each dash and middle dot is a hyphen, and each
-- sign that looks like an apostrophe is one. Some other signs, and the marks of highlights, are spaces.
create function plain_signs(given text) returns text language plpgsql immutable parallel safe as $$
declare
  plain text := regexp_replace(given, '[“”„«»‹›…•、。！？「」【】（）：，｜｡｢｣､･＜＠‥\ue000\ue001]', ' ', 'g');
begin
  -- Most texts have no other signs, and looking once is quicker than replacing three times.
  if plain !~ ('[' || hidden_signs() || dashes() || apostrophes() || ']') then
    return plain;
  end if;
  plain := regexp_replace(plain, '[' || hidden_signs() || ']+', '', 'g');
  plain := regexp_replace(plain, '[' || dashes() || ']', '-', 'g');
  return regexp_replace(plain, '[' || apostrophes() || ']', '''', 'g');
end
$$;

-- Common letters and signs that folding keeps: the inside of a bracket expression.
create or replace function kept_letters() returns text language sql immutable parallel safe
return '\u0001-\u007f\u00a1-\u00a7\u00a9\u00ac\u00ae\u00b0\u00b1\u00b6\u00bf\u00d7\u00f7\u0402-\u040c\u040e-\u044f\u0452-\u045c\u045e\u045f\u05d0-\u05ea'
  '\u0621\u0627\u0628\u062a-\u063a\u0641-\u0648\u064a\u0905-\u0928\u092a-\u0930\u0932\u0933\u0935-\u0939\u093d-\u094d\u0964-\u096f\u0e01-\u0e4c\u0e4e-\u0e5b'
  '\u2016\u201a\u2020\u2021\u2030\u20ac\u2190-\u2199\u2500-\u27bf\u3003-\u3007\u3041-\u3096\u30a1-\u30fe\u3400-\u9fff\uac00-\ud7a3'
  '\U0001f1e6-\U0001f1ff\U0001f300-\U0001faff';

create or replace function folded_letters(given text) returns text language plpgsql immutable parallel safe cost 1000 as $$
declare
  folded text := plain_signs(given);
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
    -- Vietnamese has a mark on every third letter. `translate` removes these marks faster.
    if folded ~ '[\u0309\u031b\u0323]' then
      folded := translate(folded, U&'\0301\0300\0323\0302\0309\0303\031B\0306', '');
    end if;
    folded := regexp_replace(folded, '[' || folded_marks() || ']+', '', 'g');
  end if;
  -- Decomposing a letter can produce one of these signs.
  folded := plain_signs(folded);
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

-- The text as a search compares it. A text in ASCII needs no folding.
create or replace function folded(given text) returns text language sql immutable parallel safe
return case when octet_length(given) = length(given) then given else folded_letters(given) end;

-- The words of a folded text, without the grammar of any language, because videos are in all of them. Each sign of ASCII parts words. Two to
-- four words that single signs divide are stored once more as one word, and so are single letters, as in "S.T.A.L.K.E.R.". For three or
-- more parts, the word without its first part and the word without its last part are stored too: "O'Brien's" is found as "obrien".
-- Addresses have two signs in a row.
create or replace function words_in(given text) returns tsvector language plpgsql immutable parallel safe cost 1000 as $$
declare
  spaced   text := translate(given, E'\n\r\t', '   ');
  hyphened text;
  joined   text := '';
begin
  if octet_length(given) <> length(given) then
    -- A run keeps its place, or the words before and after it would be a phrase.
    spaced := regexp_replace(spaced, '[' || unspaced_letters() || ']+', ' unspacedletters ', 'g');
  end if;
  hyphened := regexp_replace(spaced, '[!-/:-@[-`{-~]', '-', 'g');
  if hyphened ~ '[^ -]-[^ -]' then
    select string_agg(replace(concat_ws(' ', word,
             case when word like '%-%-%' then substr(word, strpos(word, '-') + 1) || ' ' || regexp_replace(word, '-[^-]*$', '') end), '-', ''), ' ')
    into   joined
    from   string_to_table(hyphened, ' ') part
    cross join lateral btrim(part, '-') word
    where  word like '%_-_%' and word not like '%--%' and (word not like '%-%-%-%-%' or word ~ '^(.-)+.$') and length(word) <= 40;
  end if;
  return to_tsvector('simple', concat_ws(' ', replace(hyphened, '-', ' '), joined));
end
$$;

-- How far the words of videos and moments from before are made again: batch by batch beside the service, because a large library takes
-- minutes. One row until all are made.
create table words_to_remake (
  is_only_row   boolean not null default true constraint words_to_remake_pkey primary key constraint words_to_remake_only_row check (is_only_row),
  -- The videos with smaller ids are left; the newest are made first.
  videos_before bigint  not null,
  -- The transcripts after this one are left.
  after_user    uuid    not null,
  after_video   text    not null
);
insert into words_to_remake (videos_before, after_user, after_video)
select max(id) + 1, '00000000-0000-0000-0000-000000000000', ''
from   video_entries
having max(id) is not null;
