alter table imports drop column passed_over;
