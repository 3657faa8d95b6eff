delete from import_parts
where  kind = 'playlists';
alter table import_parts
  drop constraint import_parts_kind,
  add constraint import_parts_kind check (kind in ('settings', 'channels', 'videos', 'viewings', 'rules', 'downloads'));
