/** In memory: videos, channels and page contexts to render, each field changeable. */
import type { ApiToken, Session } from '../../../src/schema/account/account.ts'
import type { Channel, ChannelList, ListedChannel, ShownBackfill } from '../../../src/schema/channels/channel.ts'
import type { Import, ImportLine } from '../../../src/schema/imports/import.ts'
import type { LookedVideo } from '../../../src/schema/sources/listing.ts'
import type { Video } from '../../../src/schema/videos/video.ts'
import type { PageContext } from '../../../src/views/frames/context.ts'

export const now = new Date('2026-11-20T12:00:00Z')

export const page = (changes: Partial<PageContext> = {}): PageContext => ({
  user: { username: 'alice', role: 'member' },
  path: '/',
  flash: [],
  theme: 'system',
  now,
  registration_open: true,
  versions: new Map(),
  bin_hours: 24,
  active_downloads: 0,
  keyboard_shortcuts: true,
  follows_any: true,
  channels_open: false,
  by_proxy: false,
  ...changes,
})

export const video = (changes: Partial<Video> = {}): Video => ({
  video_id: 'dQw4w9WgXcQ',
  video_url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
  title: 'Bread for people who have no time',
  thumbnail_url: 'https://i.ytimg.com/vi/dQw4w9WgXcQ/hqdefault.jpg',
  picture_url: null,
  description: 'Three loaves, one bowl.',
  published_at: new Date('2026-11-20T09:00:00Z'),
  first_seen_at: new Date('2026-11-20T10:00:00Z'),
  channel_id: 'UCslow-kitchen',
  channel_title: 'Slow Kitchen',
  download_status: 'pending',
  queued: false,
  queue_position: null,
  progress: null,
  attempts: 0,
  max_attempts: 3,
  next_attempt_at: null,
  download_path: null,
  download_started_at: null,
  download_completed_at: null,
  download_error: null,
  download_reason: null,
  download_detail: null,
  site_rests_until: null,
  keeps_trying: false,
  held_until: null,
  hours_begin_at: null,
  paused_at: null,
  paused_by: null,
  file_size: null,
  subtitles: [],
  file: null,
  pinned: false,
  seen_at: null,
  position_seconds: null,
  later_at: null,
  dismissed_at: null,
  duration_seconds: null,
  live_status: null,
  availability: null,
  published_precision: 'exact',
  source: 'feed',
  ...changes,
})

export const progress = {
  phase: 'downloading' as const,
  percent: 42.6,
  downloaded_bytes: 310_000_000,
  total_bytes: 738_000_000,
  speed: 6_100_000,
  eta_seconds: 70,
}

/** One of every state that a download can show. */
export const states = {
  wanted: video({ video_id: 'wanted' }),
  waiting: video({ video_id: 'waiting', queued: true }),
  running: video({ video_id: 'running', download_status: 'downloading', attempts: 1, progress }),
  done: video({ video_id: 'done', download_status: 'completed', file_size: 214_000_000, download_path: 'a/b/c.mp4' }),
  failed: video({
    video_id: 'failed',
    download_status: 'failed',
    attempts: 1,
    download_error: 'For members of the channel only. It may open later.',
  }),
  retrying: video({
    video_id: 'retrying',
    download_status: 'failed',
    queued: true,
    attempts: 1,
    next_attempt_at: new Date('2026-11-20T12:02:00Z'),
    download_error: 'The site asks us to slow down.',
  }),
}

/** One of everything that a platform says about a video. */
export const facts = {
  short: video({ video_id: 'short', duration_seconds: 724 }),
  long: video({ video_id: 'long', duration_seconds: 3753, seen_at: now }),
  live: video({ video_id: 'live', live_status: 'live' }),
  upcoming: video({ video_id: 'upcoming', live_status: 'upcoming' }),
  recording: video({ video_id: 'recording', live_status: 'was_live', duration_seconds: 7200 }),
  members: video({ video_id: 'members', availability: 'members_only', duration_seconds: 60 }),
  adult: video({ video_id: 'adult', availability: 'age_restricted' }),
  private: video({ video_id: 'private', availability: 'private' }),
  unlisted: video({ video_id: 'unlisted', availability: 'unlisted', source: 'address' }),
  lost: video({ video_id: 'lost', availability: 'removed' }),
  kept: video({ ...states.done, video_id: 'kept', availability: 'removed' }),
  lost_failed: video({ ...states.failed, video_id: 'lost-failed', availability: 'removed' }),
  day: video({ video_id: 'day', published_at: new Date('2026-11-18T00:00:00Z'), published_precision: 'day' }),
  approximate: video({
    video_id: 'approximate',
    published_at: new Date('2023-03-05T00:00:00Z'),
    published_precision: 'approximate',
    source: 'listing',
  }),
} satisfies Record<string, Video>

export const channel = (changes: Partial<Channel> = {}): Channel => ({
  channel_id: 'UCslow-kitchen',
  title: 'Slow Kitchen',
  followed: true,
  page_url: null,
  rss_url: 'https://www.youtube.com/feeds/videos.xml?channel_id=UCslow-kitchen',
  image_url: null,
  picture_url: null,
  last_fetched_at: new Date('2026-11-20T11:45:00Z'),
  next_fetch_at: null,
  fetch_error: null,
  failing_since: null,
  listed_at: null,
  quality: null,
  group_ids: [],
  bell: false,
  skipped: 0,
  feed_warning: null,
  entry_count: 38,
  ...changes,
})

export const imported = (changes: Partial<Import> = {}): Import => ({
  import_id: '0b7e4c3a-6f0d-4f6f-9a51-2c1f6f5d7e10',
  kind: 'opml',
  created_at: new Date('2026-11-20T11:59:00Z'),
  finished_at: null,
  passed_over: 0,
  total: 1200,
  waiting: 700,
  added: 400,
  already: 88,
  failed: 12,
  content: null,
  ...changes,
})

export const line = (changes: Partial<ImportLine> = {}): ImportLine => ({
  position: 0,
  address: 'https://videos.example/feed',
  title: 'Slow Kitchen',
  outcome: 'waiting',
  message: null,
  channel_id: null,
  ...changes,
})

export const session = (changes: Partial<Session> = {}): Session => ({
  session_id: 'a',
  created_at: now,
  used_at: now,
  device: 'Firefox on Linux',
  remembered: true,
  ...changes,
})

export const apiToken = (changes: Partial<ApiToken> = {}): ApiToken => ({
  token_id: 'a',
  name: 'phone',
  scope: 'read',
  created_at: now,
  last_used_at: null,
  expires_at: null,
  ...changes,
})

export const backfill = (changes: Partial<ShownBackfill> = {}): ShownBackfill => ({
  state: 'running',
  found: 1240,
  saved: 1225,
  started_at: now,
  finished_at: null,
  error: null,
  next_attempt_at: null,
  ...changes,
})

export const listedChannel = (changes: Partial<ListedChannel> = {}): ListedChannel => ({
  ...channel(),
  unwatched: 3,
  on_disk_bytes: 214_000_000,
  auto_download: false,
  newest_title: 'Bread for people who have no time',
  newest_at: new Date('2026-11-20T11:45:00Z'),
  ...changes,
})

export const channelList = (channels: ListedChannel[], changes: Partial<ChannelList> = {}): ChannelList => ({
  channels,
  followed: channels.length,
  failing: 0,
  unfollowed: 0,
  of: 'followed',
  q: '',
  order: 'title',
  next_cursor: null,
  ...changes,
})

/** What yt-dlp says about a video of YouTube. */
export const looked = (changes: Partial<LookedVideo> = {}): LookedVideo => ({
  video_url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
  title: 'Bread for people who have no time',
  thumbnail_url: 'https://i.ytimg.com/vi/dQw4w9WgXcQ/hqdefault.jpg',
  description: 'Three loaves, one bowl.',
  published_at: new Date('2026-11-20T09:00:00Z'),
  published_precision: 'exact',
  duration_seconds: 754,
  live_status: 'none',
  availability: 'public',
  starts_at: null,
  channel: {
    platform_id: 'UCabcdefghijklmnopqrstuv',
    title: 'Slow Kitchen',
    page_url: 'https://www.youtube.com/channel/UCabcdefghijklmnopqrstuv',
    image_url: null,
  },
  ...changes,
})
