drop table site_cookies;
