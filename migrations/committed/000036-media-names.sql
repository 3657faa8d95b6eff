--! Previous: sha1:495a80a2e96d20a2c655f4122b5ea3784e9d8b5a
--! Hash: sha1:9bab8f658c1ff1f38149cb357f14f8bde8d8b03f
--! Message: media-names

-- Each person names the files and folders of their tree in MEDIA_DIR by a template. A path is stored when it is given. The code gives paths to
-- the rows that earlier versions made.

-- Null: the usual template.
alter table users add column media_names text;
-- The template by which the tree is named; null: the usual one. It differs from that of the person until the next update.
alter table media_trees add column names text;

alter table media_channels
  -- The group in whose folder the channel is, as the person calls it; '': no group. Null: it was not looked up yet.
  add column group_name  text,
  -- The folder in which the files of the show were written, below that of the person. Null: an earlier version wrote them, in `folder`.
  add column show_folder text;

alter table media_episodes
  -- The folders below that of the person, with a '/' between; '': none. `<folders>/<name>.<extension>` is the path of the file. Null: the files
  -- are in `<folder of the channel>/Season <season>`, where earlier versions put them.
  add column folders    text,
  -- The template has changed: the files are removed, and then the video gets a new name.
  add column needs_name boolean not null default false;

-- The paths that are in use: no two videos have one. A video without a row is not named yet.
create table media_paths (
  user_id  uuid not null,
  -- `<folders>/<name>` as file systems compare names that ignore case: `folderKey` of `domain/media/names.ts`.
  path_key text not null,
  video_id text not null,
  constraint media_paths_pkey primary key (user_id, path_key),
  constraint media_paths_video_key unique (user_id, video_id),
  constraint media_paths_video_fkey foreign key (user_id, video_id) references media_episodes (user_id, video_id) on delete cascade
);
