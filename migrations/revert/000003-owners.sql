-- Without owners each channel exists once, so two people cannot follow the same one.
do $$
begin
  if exists (select from channels group by channel_id having count(*) > 1) then
    raise exception 'Several people follow the same channel, and without owners it can exist only once.'
      using hint = 'Nothing was changed. Let all but one of them unfollow it first.';
  end if;
end
$$;

alter table video_entries
  drop constraint video_entries_channel_fkey,
  drop constraint video_entries_video_key;
alter table channels
  drop constraint channels_user_channel_key,
  drop column user_id,
  drop column rss_url,
  add constraint channels_channel_id_key unique (channel_id);
alter table channels rename column last_fetched_at to last_fetched;

alter table video_entries
  drop column user_id,
  drop column thumbnail_url,
  drop column description,
  drop column published_at,
  add constraint video_entries_channel_fkey foreign key (channel_id)
    references channels (channel_id) on update cascade on delete cascade,
  add constraint video_entries_video_key unique (channel_id, video_id);
alter table video_entries rename column video_url to url;

drop table users;
