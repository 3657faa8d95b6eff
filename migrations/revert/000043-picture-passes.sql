comment on column pictures.fetch_at is null;
drop index pictures_given_up_idx;
drop table picture_pass;
