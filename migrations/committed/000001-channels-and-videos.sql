--! Previous: -
--! Hash: sha1:7178477631af9850f7b95e16e7efc58b94bffbc7
--! Message: channels and videos

-- Channels and the videos seen in their feeds. The unique keys are what saving relies on: a feed fetched again
-- updates (`on conflict`) and never doubles.
create table channels (
  id           bigint generated always as identity primary key,
  channel_id   text not null,
  title        text not null,
  last_fetched timestamptz,
  constraint channels_channel_id_key unique (channel_id)
);

create table video_entries (
  id         bigint generated always as identity primary key,
  channel_id text not null,
  video_id   text not null,
  title      text not null,
  url        text not null,
  constraint video_entries_channel_fkey foreign key (channel_id)
    references channels (channel_id) on update cascade on delete cascade,
  constraint video_entries_video_key unique (channel_id, video_id)
);
