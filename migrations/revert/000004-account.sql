drop table password_resets, api_tokens, sign_in_failures, sessions;
alter table users
  drop column keyboard_shortcuts,
  drop column quality;
