--! Previous: sha1:192032fa569241474d0f2f861620a53054bbf348
--! Hash: sha1:8897339771e1b454f36e08e5ef7cd61dc8ad6dcf
--! Message: misjudged-failures

-- Downloads were given up for good, and their videos called removed for all who follow the channel, where the site had said something else: a
-- stream has ended and its recording is not ready, a video is blocked in this country, or may be played only on its own site. Others were
-- given up because a page or a damaged file was at the address of a media file. Each is tried once more, spread over a day, unless a rule
-- requested it and is off; housekeeping adds the jobs. Only failed downloads are read, from an index: about a second for a thousand of these.

-- Who may watch these videos is looked up again, for all who were told that they were removed.
with misjudged as materialized (
  select user_id, channel_id, video_id, video_url
  from   video_entries
  where  standing = 'failed' and download_reason = 'removed'
  and    download_detail ~* 'live (event|stream) has ended|in your country|your (region|location)|geo.?restrict|disabled by the (video )?owner|blocked it'
),
closed as materialized (
  select entry.user_id, entry.id
  from   misjudged
  join   video_entries entry using (user_id, channel_id, video_id)
  where  entry.availability = 'removed'
  union
  select entry.user_id, entry.id
  from   misjudged
  join   channels own using (user_id, channel_id)
  join   channels follower on follower.rss_url = own.rss_url
  join   video_entries entry on (entry.user_id, entry.channel_id, entry.video_id)
                              = (follower.user_id, follower.channel_id, misjudged.video_id)
  where  entry.availability = 'removed' and entry.video_url = misjudged.video_url
)
update video_entries entry
-- With a count of one, the page of the video itself is requested.
set    availability = null, look_at = now() + random() * interval '1 day', looks = 1
from   closed
where  (entry.user_id, entry.id) = (closed.user_id, closed.id);

with again as materialized (
  select   user_id, video_id, now() + interval '10 minutes' + random() * interval '1 day' as next_at
  from     video_entries entry
  where    standing = 'failed'
  and      (download_reason = 'removed'
            and download_detail ~* 'live (event|stream) has ended|in your country|your (region|location)|geo.?restrict|disabled by the (video )?owner|blocked it'
            or download_reason = 'unsupported'
            and download_error ~ '^(No video found on this page|The site sent something that is not a video)'
            and video_url ~* '^[^?#]+[.](mp4|m4v|mov|webm|mkv|ogv|avi|mpe?g|flv|m3u8|mp3|m4a|aac|ogg|oga|opus|flac|wav)([?#]|$)')
  and      (download_asked_by is distinct from 'rule'
            or exists (
                 select from channel_rules rule
                 where  rule.user_id = entry.user_id and rule.channel_id = entry.channel_id and rule.on_since is not null))
  group by user_id, video_id
)
update video_entries entry
set    download_requested_at = now(), download_next_attempt_at = again.next_at, download_attempts = 0,
       download_by_rule = coalesce(download_asked_by = 'rule', false), download_reason = null, download_failures = 0,
       download_error = 'We misjudged why this download failed, so we try it again.', download_detail = null
from   again
where  (entry.user_id, entry.video_id) = (again.user_id, again.video_id) and entry.standing = 'failed';
