update users set quality = case quality when 'mp3' then 'audio' else '1080' end where quality in ('compatible', 'mp3');
update channels set quality = case quality when 'mp3' then 'audio' else '1080' end where quality in ('compatible', 'mp3');
alter table users
  drop column subtitle_languages,
  drop constraint users_quality,
  add constraint users_quality check (quality in ('best', '2160', '1440', '1080', '720', '480', '360', 'audio'));
alter table channels
  drop constraint channels_quality,
  add constraint channels_quality check (quality in ('best', '2160', '1440', '1080', '720', '480', '360', 'audio'));
