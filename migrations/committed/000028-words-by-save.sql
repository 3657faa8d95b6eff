--! Previous: sha1:fd575617c290b97d929654a00cb8ac8910d1ad35
--! Hash: sha1:9d6eff636095bebf0af3dfb739f3b143e2245c76
--! Message: words-by-save

-- A save makes the words of a new video once for all followers of its feed. As a generated column they were made for each follower,
-- which took more than half of the processor time of adding a video. A statement that gives no words, or changes the texts, gets them
-- from a trigger, so they are the same as before. Nothing is read or rewritten: this is quick with any number of videos.
create function words_in(given text) returns tsvector language sql immutable parallel safe
return to_tsvector('simple',
  -- Most texts have none of the signs, and looking for them is quicker than replacing them.
  case when given ~ '[<“”„«»‹›‘’…–—·•、。！？「」【】（）：，｜]'
       then translate(given, '<“”„«»‹›‘’…–—·•、。！？「」【】（）：，｜', repeat(' ', 28))
       else given end);

create function video_words(title text, description text) returns tsvector language sql immutable parallel safe
return setweight(words_in(left(title, 2000)), 'A') || setweight(words_in(left(coalesce(description, ''), 50000)), 'B');

create function make_words() returns trigger language plpgsql as $$
begin
  new.words := video_words(new.title, new.description);
  return new;
end
$$;

alter table video_entries alter column words drop expression;
create trigger video_entries_words_missing before insert on video_entries
  for each row when (new.words is null) execute function make_words();
create trigger video_entries_words_changed before update of title, description on video_entries
  for each row when ((new.title, new.description) is distinct from (old.title, old.description)) execute function make_words();
