alter table channels drop column skipped, drop column feed_warning;
