alter table media_trees
  drop column stamp;
