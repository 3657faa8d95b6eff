--! Previous: sha1:98d9e1413c783afd3654a306d0808612103ab28b
--! Hash: sha1:0c10d581d2abadfd69a374ed2a3da1e777642808
--! Message: owners

-- Every channel and video gets an owner. There is no owner to invent for channels that exist already, so on a
-- database that holds any this stops, in words, and changes nothing.
do $$
begin
  if exists (select from channels) then
    raise exception 'This database already holds channels, and they belong to nobody: from here on every channel has an owner.'
      using hint = 'Nothing was changed. Export what you need, empty the table "channels", and run the migration again.';
  end if;
end
$$;

create table users (
  id            uuid primary key default gen_random_uuid(),
  username      text not null,
  password_hash text not null,
  created_at    timestamptz not null default now()
);
create unique index users_username_key on users (lower(username));

alter table channels rename column last_fetched to last_fetched_at;
alter table channels
  add column user_id uuid not null constraint channels_user_fkey references users (id) on delete cascade,
  add column rss_url text not null,
  add constraint channels_user_channel_key unique (user_id, channel_id);

alter table video_entries rename column url to video_url;
alter table video_entries
  drop constraint video_entries_channel_fkey,
  drop constraint video_entries_video_key,
  add column user_id       uuid not null,
  add column thumbnail_url text,
  add column description   text,
  add column published_at  timestamptz,
  -- Both columns together: an entry of one user under another's channel is refused here, whatever the code does.
  add constraint video_entries_channel_fkey foreign key (user_id, channel_id)
    references channels (user_id, channel_id) on update cascade on delete cascade,
  add constraint video_entries_video_key unique (user_id, channel_id, video_id);

-- A channel may now stand in many libraries.
alter table channels drop constraint channels_channel_id_key;
