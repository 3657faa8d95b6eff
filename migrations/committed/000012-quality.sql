--! Previous: sha1:8110801c2f1a2034781c4bd1584c962e4b6ca382
--! Hash: sha1:d14508817ed29485f20e9ae09f242dfdadb5f9de
--! Message: quality

-- How large a picture somebody wants, for everything they follow or for one channel; and the subtitles that came with a file.
alter table users
  add column quality text not null default 'best'
    constraint users_quality check (quality in ('best', '2160', '1440', '1080', '720', '480', '360', 'audio'));

alter table channels
  -- Null: the quality of its owner.
  add column quality text
    constraint channels_quality check (quality in ('best', '2160', '1440', '1080', '720', '480', '360', 'audio'));

alter table video_entries
  -- Their languages, as the site names them; each is a file beside the video.
  add column subtitles text[] not null default '{}';
