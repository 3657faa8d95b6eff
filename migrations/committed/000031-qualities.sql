--! Previous: sha1:1f9a571c7d1d07263d5c0b0657e8825163105624
--! Hash: sha1:a9dd7bbf07500b33c18fbeb1c3ca1f723261ec33
--! Message: qualities

-- Two more qualities: files that every phone and television plays, and MP3. And the languages of subtitles that a person prefers.
alter table users
  -- The first one is preferred. Empty: English, and then the spoken language.
  add column subtitle_languages text[] not null default '{}';

alter table users
  drop constraint users_quality,
  add constraint users_quality
    check (quality in ('best', '2160', '1440', '1080', '720', '480', '360', 'compatible', 'audio', 'mp3')) not valid;
alter table users validate constraint users_quality;

alter table channels
  drop constraint channels_quality,
  add constraint channels_quality
    check (quality in ('best', '2160', '1440', '1080', '720', '480', '360', 'compatible', 'audio', 'mp3')) not valid;
alter table channels validate constraint channels_quality;
