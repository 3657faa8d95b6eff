alter table video_entries
  drop column site_facts;
