--! Previous: sha1:e76db05c165caaae16dcdf4ba72fc2f32e481876
--! Hash: sha1:89505ba5082b21dc2a71b1b34dae3e94aab04470
--! Message: transcripts

-- Search finds what is said in videos, from their subtitles. A transcript has the lines of one subtitle file; its moments have the words of
-- about thirty seconds each, so that a result can start there. The tables start with one row for each video whose subtitles are on disk,
-- which takes a second for a hundred thousand of them; housekeeping has these read in portions.
create table transcripts (
  user_id      uuid    not null constraint transcripts_user_fkey references users (id) on delete cascade,
  video_id     text    not null,
  language     text    not null default 'und',
  is_automatic boolean not null default false,
  -- Each line begins with its second and a space. Empty: nothing was found. Null: the subtitles were not read yet.
  lines        text,
  constraint transcripts_pkey primary key (user_id, video_id)
);
create index transcripts_unread_idx on transcripts (user_id, video_id) where lines is null;

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

-- As `video_words`, without weights: what is said has no title.
create function said_words(said text) returns tsvector language sql immutable parallel safe
return case
  when said ~ ('[' || unspaced_letters() || ']')
  then ts_delete(words_in(said), 'unspacedletters') || pairs_in(said, 2000)
  else words_in(said) end;

-- A transcript belongs to a video, in however many channels that is, and goes with the last of them. While the video is in the bin, its
-- transcript stays, so that both return together.
create function forget_transcripts() returns trigger language plpgsql as $$
begin
  delete from transcripts
  using  (select distinct user_id, video_id from gone) gone
  where  transcripts.user_id = gone.user_id and transcripts.video_id = gone.video_id
  and    not exists (select from video_entries entry where entry.user_id = gone.user_id and entry.video_id = gone.video_id)
  and    not exists (select from deleted_videos kept where kept.user_id = gone.user_id and kept.video_id = gone.video_id);
  return null;
end
$$;
create trigger video_entries_transcripts after delete on video_entries
  referencing old table as gone for each statement execute function forget_transcripts();
create trigger deleted_videos_transcripts after delete on deleted_videos
  referencing old table as gone for each statement execute function forget_transcripts();

insert into transcripts (user_id, video_id)
select distinct user_id, video_id
from   video_entries
where  download_status = 'COMPLETED' and subtitles <> '{}';
