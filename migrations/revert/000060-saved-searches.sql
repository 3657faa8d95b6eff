drop table saved_searches;
