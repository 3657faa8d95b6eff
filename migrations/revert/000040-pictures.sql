drop table pictures;
