-- Videos and moments keep the words of the later version until their texts change.
drop table words_to_remake;
create or replace function kept_letters() returns text language sql immutable parallel safe
return '\u0001-\u007f\u00a1-\u00a7\u00a9\u00ac-\u00ae\u00b0\u00b1\u00b6\u00bf\u00d7\u00f7\u0402-\u040c\u040e-\u044f\u0452-\u045c\u045e\u045f\u05d0-\u05ea'
  '\u0621\u0627\u0628\u062a-\u063a\u0641-\u0648\u064a\u0905-\u0928\u092a-\u0930\u0932\u0933\u0935-\u0939\u093d-\u094d\u0964-\u096f\u0e01-\u0e4c\u0e4e-\u0e5b'
  '\u200d\u2010\u2012\u2016\u201a\u201b\u2020\u2021\u2030\u20ac\u2190-\u2199\u2500-\u27bf\u3003-\u3007\u3041-\u3096\u30a1-\u30fe\u3400-\u9fff\uac00-\ud7a3\ufe0f'
  '\U0001f1e6-\U0001f1ff\U0001f300-\U0001faff';
create or replace function folded_letters(given text) returns text language plpgsql immutable parallel safe cost 1000 as $$
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
create or replace function folded(given text) returns text language sql immutable parallel safe
return case when octet_length(given) = length(given) then replace(given, '<', ' ') else folded_letters(given) end;
create or replace function words_in(given text) returns tsvector language sql immutable parallel safe
return to_tsvector('simple', case
  when octet_length(given) = length(given) then given
  -- A run keeps its place, or the words before and after it would be a phrase.
  else regexp_replace(given, '[' || unspaced_letters() || ']+', ' unspacedletters ', 'g') end);
drop function plain_signs;
drop function hidden_signs;
drop function dashes;
drop function apostrophes;
