--! Previous: sha1:72814975a20ec89f6385df6c46857125cf80d46c
--! Hash: sha1:7476e63bab4da4d4a17d6381a57e4fb3ba795e18
--! Message: search

-- Search: the words of videos, what is said in them, and saved searches. Words are folded, so that "pokemon" finds "Pokémon". Scripts
-- without spaces between words are searched by pairs of letters: each letter with the one after it, and the last one alone.
-- `src/db/search/folded.ts` folds what a person types in the same way, and says which letters change, and why.

-- The marks that folding removes: the inside of a bracket expression.
create function folded_marks() returns text language sql immutable parallel safe
return '\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc'
  '\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u093c\ufe20-\ufe2f';

-- Common letters and signs that folding keeps: the inside of a bracket expression.
create function kept_letters() returns text language sql immutable parallel safe
return '\u0001-\u007f\u00a1-\u00a7\u00a9\u00ac-\u00ae\u00b0\u00b1\u00b6\u00bf\u00d7\u00f7\u0402-\u040c\u040e-\u044f\u0452-\u045c\u045e\u045f\u05d0-\u05ea'
  '\u0621\u0627\u0628\u062a-\u063a\u0641-\u0648\u064a\u0905-\u0928\u092a-\u0930\u0932\u0933\u0935-\u0939\u093d-\u094d\u0964-\u096f\u0e01-\u0e4c\u0e4e-\u0e5b'
  '\u200d\u2010\u2012\u2016\u201a\u201b\u2020\u2021\u2030\u20ac\u2190-\u2199\u2500-\u27bf\u3003-\u3007\u3041-\u3096\u30a1-\u30fe\u3400-\u9fff\uac00-\ud7a3\ufe0f'
  '\U0001f1e6-\U0001f1ff\U0001f300-\U0001faff';

-- The high cost keeps Postgres from copying a call into several places of a query, so that the function runs once.
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
    -- Vietnamese has a mark on every third letter. `translate` removes these marks faster.
    if folded ~ '[\u0309\u031b\u0323]' then
      folded := translate(folded, U&'\0301\0300\0323\0302\0309\0303\031B\0306', '');
    end if;
    folded := regexp_replace(folded, '[' || folded_marks() || ']+', '', 'g');
  end if;
  -- Decomposing a letter can produce one of these signs.
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

-- The text as a search compares it. A text in ASCII needs no folding, and contains only one of the signs that become spaces: `<`, because
-- Postgres leaves out what looks like HTML.
create function folded(given text) returns text language sql immutable parallel safe
return case when octet_length(given) = length(given) then replace(given, '<', ' ') else folded_letters(given) end;

-- Thai, Lao, Tibetan, Myanmar, Khmer, Han, Hiragana and Katakana: the inside of a bracket expression.
create function unspaced_letters() returns text language sql immutable parallel safe
return '\u0e00-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3041-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff'
  '\ua9e0-\ua9ff\uaa60-\uaa7f\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff';

-- Takes runs of letters that are separated by spaces. The first part of the result has the pairs that begin at the first, third and fifth
-- letter of a run and so on, the second part has the pairs between them.
create function pairs_of(runs text) returns tsvector language sql immutable parallel safe
return regexp_replace(runs || ' ' || regexp_replace(runs, '[^ ]([^ ]*)', '\1', 'g'), '([^ ][^ ]?)', '''\1'':1 ', 'g')::tsvector;

create function pairs_in(given text, most_letters int) returns tsvector language sql immutable parallel safe
return pairs_of(left(regexp_replace(given, '[^' || unspaced_letters() || ']+', ' ', 'g'), most_letters));

-- The words of a folded text, without the grammar of any language, because videos are in all of them.
create function words_in(given text) returns tsvector language sql immutable parallel safe
return to_tsvector('simple', case
  when octet_length(given) = length(given) then given
  -- A run keeps its place, or the words before and after it would be a phrase.
  else regexp_replace(given, '[' || unspaced_letters() || ']+', ' unspacedletters ', 'g') end);

create function spaced_words(title text, description text) returns tsvector language sql immutable parallel safe
return setweight(words_in(title), 'A') || setweight(words_in(description), 'B');

-- The words of titles have the weight A, those of descriptions B. Texts are cut, because a `tsvector` holds at most a megabyte, and cut
-- again, because folding can make them longer. A pair costs a save 5 µs, so a description has those of its first 100 letters.
create function video_words(title text, description text) returns tsvector language plpgsql immutable parallel safe cost 1000 as $$
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

-- The words of what is said, which has no title and so no weights.
create function said_words(said text) returns tsvector language plpgsql immutable parallel safe cost 1000 as $$
declare
  folded text := left(folded(said), 10000);
begin
  if folded !~ ('[' || unspaced_letters() || ']') then
    return words_in(folded);
  end if;
  return ts_delete(words_in(folded), 'unspacedletters') || pairs_in(folded, 2000);
end
$$;

alter table video_entries
  -- A save makes the words of a new video once for all followers of its feed, which a generated column cannot.
  add column words tsvector;
update video_entries
set    words = video_words(title, description);
alter table video_entries
  alter column words set not null;

-- The index answers for one person: it has the owner of each video, and the words of titles separately.
create index video_entries_search_idx on video_entries using gin (words, ts_filter(words, '{a}'), (array[user_id]));

-- Makes the words when a statement gives none, or changes the texts.
create function make_words() returns trigger language plpgsql as $$
begin
  new.words := video_words(new.title, new.description);
  return new;
end
$$;
create trigger video_entries_words_missing before insert on video_entries
  for each row when (new.words is null) execute function make_words();
create trigger video_entries_words_changed before update of title, description on video_entries
  for each row when ((new.title, new.description) is distinct from (old.title, old.description)) execute function make_words();

alter table users
  -- The captions of videos that this person has not downloaded are fetched too, for search.
  add column captions_of_all boolean     not null default false,
  -- The captions of this person's next video may be requested from this time on.
  add column captions_at     timestamptz not null default 'epoch';

-- The lines of one subtitle file. A video has one transcript, however many channels of the person the video is in.
create table transcripts (
  user_id      uuid        not null constraint transcripts_user_fkey references users (id) on delete cascade,
  video_id     text        not null,
  language     text        not null default 'und',
  is_automatic boolean     not null default false,
  -- Each line begins with its second and a space. Empty: nothing was found. Null: the subtitles are still to be read.
  lines        text,
  -- When the site was last asked for the captions of a video that was not on disk, and how often. So a video without captions is
  -- not asked for again and again. Null: never.
  asked_at     timestamptz,
  asks         smallint    not null default 0,
  constraint transcripts_pkey primary key (user_id, video_id)
);
create index transcripts_unread_idx on transcripts (user_id, video_id) where lines is null;

-- About thirty seconds of a transcript, so that a result can start there. It has the words and not the text, which the transcript has.
create table moments (
  user_id       uuid     not null,
  video_id      text     not null,
  start_seconds integer  not null constraint moments_start check (start_seconds >= 0),
  words         tsvector not null,
  constraint moments_pkey primary key (user_id, video_id, start_seconds),
  constraint moments_transcript_fkey foreign key (user_id, video_id)
    references transcripts (user_id, video_id) on delete cascade
);
create index moments_search_idx on moments using gin (words, (array[user_id]));

-- Searches that a person saved under a name, to open them from the navigation.
create table saved_searches (
  user_id         uuid        not null constraint saved_searches_user_fkey references users (id) on delete cascade,
  saved_search_id uuid        not null default gen_random_uuid(),
  name            text        not null constraint saved_searches_name check (length(name) between 1 and 60),
  q               text        not null constraint saved_searches_q check (length(q) between 1 and 200),
  sort            text        not null constraint saved_searches_sort check (sort in ('relevance', 'newest')),
  created_at      timestamptz not null default now(),
  -- A deleted search is kept for a day, so that the deletion can be undone. Null: it is not deleted.
  deleted_at      timestamptz,
  constraint saved_searches_pkey primary key (user_id, saved_search_id)
);
create unique index saved_searches_name_key on saved_searches (user_id, lower(name)) where deleted_at is null;
