alter table deleted_channels drop column podcasts;
