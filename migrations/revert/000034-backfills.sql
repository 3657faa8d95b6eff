drop table backfills;
