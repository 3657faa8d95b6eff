--! Previous: sha1:471aa9cf7483f0a069cd7bcf60e4736fd77e3ac6
--! Hash: sha1:c869dc20cf63a8ad4535551091743180e52920e6
--! Message: facts-and-sources

-- Feeds leave out how long a video is, whether it is live and who may watch it, and they list only the newest videos. These columns
-- are for what yt-dlp, a platform or a person adds. Without values for existing rows, so this takes milliseconds at any size.
alter table video_entries
  add column duration_seconds    integer
    constraint video_entries_duration check (duration_seconds >= 0),
  add column live_status         text
    constraint video_entries_live_status check (live_status in ('none', 'upcoming', 'live', 'was_live')),
  add column availability        text
    constraint video_entries_availability check (
      availability in ('public', 'unlisted', 'members_only', 'age_restricted', 'private', 'removed')),
  -- Of published_at, if there is one. In the order of the alphabet, the later word is the better date.
  add column published_precision text not null default 'exact'
    constraint video_entries_precision check (published_precision in ('approximate', 'day', 'exact')),
  add column source              text not null default 'feed'
    constraint video_entries_source check (source in ('feed', 'listing', 'address'));

-- An older video without a date gets its place in the history from the video that is listed before it, so the save computes the
-- place. For a statement that gives none, and when a date changes, a trigger computes it as before.
create function place_in_history() returns trigger language plpgsql as $$
begin
  new.sort_at := least(coalesce(new.published_at, new.first_seen_at), new.first_seen_at);
  return new;
end
$$;
alter table video_entries alter column sort_at drop expression;
create trigger video_entries_place_missing before insert on video_entries
  for each row when (new.sort_at is null) execute function place_in_history();
create trigger video_entries_place_changed before update of published_at, first_seen_at on video_entries
  for each row when ((new.published_at, new.first_seen_at) is distinct from (old.published_at, old.first_seen_at))
  execute function place_in_history();

-- A video can be kept without following its channel. Such a channel has no feed address, so no query about feeds finds it.
alter table channels
  alter column rss_url drop not null,
  add column page_url text,
  add constraint channels_unfollowed_is_not_fetched check (rss_url is not null or next_fetch_at is null);
