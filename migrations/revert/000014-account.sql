drop table api_tokens;
alter table sessions
  drop column public_id,
  drop column created_at,
  drop column used_at,
  drop column device,
  drop column remembered;
