drop table sign_in_failures;
drop table sessions;
