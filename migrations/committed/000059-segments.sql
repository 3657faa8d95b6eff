--! Previous: sha1:d77edc0fca767252e1677e2313395b646843fe32
--! Hash: sha1:c1d5f67bd1cce5b14ff1846c9b47d7cecdef087f
--! Message: segments

-- SponsorBlock's users say which parts of a YouTube video are advertising. What it answers is public and the same for everyone, so it is
-- kept once per video; a person chooses the kinds of parts that the player skips, and the channels whose videos are played whole.
create table video_segments (
  -- The id of the video on YouTube.
  youtube_id text        not null,
  segments   jsonb       not null,
  fetched_at timestamptz not null default now(),
  constraint video_segments_pkey primary key (youtube_id)
);
create index video_segments_fetched on video_segments (fetched_at);

alter table users add column skip_categories text[] not null default '{sponsor}';
-- True: the videos of this channel are played whole. Null, as false: by the person's choice.
alter table channels add column plays_whole boolean;
