drop trigger users_access_ended on users;
drop trigger users_administrator_stays on users;
drop trigger users_administrator_kept on users;
drop trigger users_first on users;
drop function end_access();
drop function keep_administrator();
drop function administrator_access(users);
drop function choose_first_administrator();
delete from api_tokens
where  scope = 'admin';
alter table api_tokens
  drop constraint api_tokens_scope,
  add constraint api_tokens_scope check (scope in ('read', 'write'));
drop table admin_acts;
drop table invitations;
drop table sign_in_attempts;
drop table passkeys;
drop table identities;
-- No password fits an empty hash.
update users
set    password_hash = ''
where  password_hash is null;
alter table users
  drop column quota_gb,
  drop column last_seen_at,
  drop column locked_at,
  drop column role,
  alter column password_hash set not null;
