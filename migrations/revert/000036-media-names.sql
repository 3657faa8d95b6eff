drop table media_paths;
alter table media_episodes drop column needs_name, drop column folders;
alter table media_channels drop column show_folder, drop column group_name;
alter table media_trees drop column names;
alter table users drop column media_names;
