-- Rows that only say that a site was asked would otherwise be left as transcripts without lines.
delete from transcripts where asks > 0 and lines = '';
alter table transcripts drop column asks, drop column asked_at;
alter table users drop column captions_at, drop column captions_of_all;
