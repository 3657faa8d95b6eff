-- The earlier tables have every row, because each change was copied to them.
drop trigger links_copied on links;
drop trigger api_tokens_copied on api_tokens;
drop trigger invitations_copied on invitations;
drop trigger password_resets_copied on password_resets;
drop trigger sign_in_attempts_copied on sign_in_attempts;
create or replace function end_access() returns trigger language plpgsql as $$
begin
  if new.locked_at is not null then
    delete from sessions where user_id = new.id;
    delete from api_tokens where user_id = new.id;
    delete from password_resets where user_id = new.id;
    delete from sign_in_attempts where user_id = new.id;
  end if;
  if new.locked_at is not null or new.role <> 'admin' then
    delete from invitations where made_by = new.id;
    delete from api_tokens where user_id = new.id and scope = 'admin';
  end if;
  return null;
end $$;
drop function earlier_secrets();
drop table secrets;
drop function copy_to_secrets();
drop function copy_from_secrets();
