--! Previous: sha1:990a5c95e1a040686c8e31c611414d861bde27d1
--! Hash: sha1:e75aadaabfb0aeed856931bf7b3ae771357a6e8d
--! Message: site-cookies

-- The cookies that a person stores for a site, for videos that the site shows only to people who are signed in there.
create table site_cookies (
  user_id    uuid        not null constraint site_cookies_user_id_fkey references users (id) on delete cascade,
  -- The cookies go to this host, such as youtube.com, and to the hosts below it.
  host       text        not null,
  -- A Netscape file, encrypted with a key from SECRET_KEY that only this row has.
  sealed     bytea       not null,
  stored_at  timestamptz not null default now(),
  -- When a download with them last succeeded. Null: none did.
  worked_at  timestamptz,
  -- When the site last refused a video although it got them. Null: not since they were stored, or since a download succeeded.
  refused_at timestamptz,
  constraint site_cookies_pkey primary key (user_id, host)
);
