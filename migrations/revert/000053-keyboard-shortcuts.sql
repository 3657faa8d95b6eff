alter table users drop column keyboard_shortcuts;
