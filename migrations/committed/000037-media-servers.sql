--! Previous: sha1:9bab8f658c1ff1f38149cb357f14f8bde8d8b03f
--! Hash: sha1:5e940ce7dd56393b530717024ef17322d0be78a7
--! Message: media-servers

-- The media servers of people. They read the folder again after videos changed in MEDIA_DIR, and what was watched goes both ways.
create table media_servers (
  user_id       uuid        not null constraint media_servers_user_id_fkey references users (id) on delete cascade,
  server_id     uuid        not null,
  kind          text        not null constraint media_servers_kind check (kind in ('jellyfin', 'emby', 'plex')),
  address       text        not null,
  -- Encrypted with a key from SECRET_KEY that only this row with this address has.
  sealed_key    bytea       not null,
  -- The name of the person on the server. Null: the username, or the only person there.
  person        text,
  created_at    timestamptz not null default now(),
  -- Since when the server has to read the folder again. Null: it has not.
  read_due_at   timestamptz,
  -- When the next exchange is due. Null: after the person has changed something.
  exchange_at   timestamptz default now(),
  -- When the last exchange succeeded. Null: none did.
  exchanged_at  timestamptz,
  -- Since when exchanges fail, and why. Null: they do not.
  failing_since timestamptz,
  fault         text,
  constraint media_servers_pkey primary key (user_id, server_id)
);
create index media_servers_exchange_idx on media_servers (exchange_at);

-- What both sides said of a video after the last exchange. A change is a difference from it.
create table media_server_videos (
  user_id        uuid    not null,
  server_id      uuid    not null,
  video_id       text    not null,
  -- The id of the server for the video. With another one, the server knows nothing of the video yet.
  item_id        text    not null,
  our_watched    boolean not null,
  our_position   integer not null,
  their_watched  boolean not null,
  their_position integer not null,
  constraint media_server_videos_pkey primary key (user_id, server_id, video_id),
  constraint media_server_videos_server_fkey foreign key (user_id, server_id)
    references media_servers (user_id, server_id) on delete cascade
);
