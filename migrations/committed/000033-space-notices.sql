--! Previous: sha1:18f874a8cbc4e87f2295f372d50d1a78731587ce
--! Hash: sha1:7055f5266edd23b35a1f39b46a2442c1af8b4fff
--! Message: space-notices

-- Who is told that their quota is nearly full, and has had no room since, is no longer read from a row of the outbox that stays after it
-- was sent.
create table space_notices (
  user_id uuid constraint space_notices_pkey primary key
               constraint space_notices_user_id_fkey references users (id) on delete cascade
);
insert into space_notices (user_id)
select distinct user_id from notifications where event = 'space';
