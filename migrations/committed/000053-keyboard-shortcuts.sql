--! Previous: sha1:503f2b4b537a84d5716ceb81e3db3b57725d1e80
--! Hash: sha1:9c9b768a626f3cb2e51b1ddc21f900a55d1e33d8
--! Message: keyboard-shortcuts

-- Single keys disturb people who speak to their computer or press keys by mistake, so a person can turn them off. They are on for everyone
-- until then, which a constant default stores without rewriting a row.
alter table users add column keyboard_shortcuts boolean not null default true;
