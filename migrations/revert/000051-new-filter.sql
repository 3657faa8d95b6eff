alter table users drop column new_filter;
