/** Checks every page: no hostile text becomes markup, nothing is inline, every control works without a script. */
import { describe, expect, it } from 'vitest'
import { htmlBelow } from '../../src/routes/http/base-path.ts'
import { ActName, type Person } from '../../src/schema/admin/admin.ts'
import { type ImportContent, no_content } from '../../src/schema/imports/import.ts'
import type { Target } from '../../src/schema/notifications/target.ts'
import type { RulePreview } from '../../src/schema/rules/rule.ts'
import { RuleFields } from '../../src/schema/rules/rule-fields.ts'
import type { Health } from '../../src/schema/service/health.ts'
import { no_renewal, RenewalReport } from '../../src/schema/service/renewal.ts'
import type { Settings } from '../../src/schema/settings/settings.ts'
import type { FoundFeed } from '../../src/schema/sources/discovery.ts'
import type { Video } from '../../src/schema/videos/video.ts'
import { AccountPage, DeletePage } from '../../src/views/account/account-page.tsx'
import { ContinuePage } from '../../src/views/account/continue-page.tsx'
import { LoginPage, RegisterPage } from '../../src/views/account/sign-in-page.tsx'
import { TokensPage } from '../../src/views/account/tokens-page.tsx'
import { InvitationsPage } from '../../src/views/admin/invitations-page.tsx'
import { LogPage } from '../../src/views/admin/log-page.tsx'
import { PeoplePage } from '../../src/views/admin/people-page.tsx'
import { PersonPage } from '../../src/views/admin/person-page.tsx'
import { ChannelPage } from '../../src/views/channels/channel-page.tsx'
import { ChannelSettingsPage } from '../../src/views/channels/channel-settings-page.tsx'
import { ChannelsPage, SingleVideosPage } from '../../src/views/channels/channels-page.tsx'
import { UnfollowPage } from '../../src/views/channels/choosing-channels.tsx'
import { ChannelGroupsPage, GroupPage, GroupsPage } from '../../src/views/channels/groups-page.tsx'
import { AddPage, FoundPage, NamedChannelsPage } from '../../src/views/channels/new-channel-page.tsx'
import { DeleteChannelFilesPage, RemovePage } from '../../src/views/downloads/delete-files-page.tsx'
import { ScopeQuestionPage, ScopesPage } from '../../src/views/downloads/download-menu.tsx'
import { DownloadsPage } from '../../src/views/downloads/downloads-page.tsx'
import { SpacePage } from '../../src/views/downloads/space-page.tsx'
import { ErrorPage } from '../../src/views/frames/layout.tsx'
import { ImportPage } from '../../src/views/imports/import-page.tsx'
import { ImportsPage } from '../../src/views/imports/imports-page.tsx'
import { ElsewherePage } from '../../src/views/links/elsewhere-page.tsx'
import { LinkFaultPage } from '../../src/views/links/link-fault-page.tsx'
import { LinksPage } from '../../src/views/links/links-page.tsx'
import { SharePage } from '../../src/views/links/share-page.tsx'
import { MediaPage } from '../../src/views/media/media-page.tsx'
import { MediaServerPage, MediaServersPage } from '../../src/views/media/media-servers-page.tsx'
import { NotificationsPage } from '../../src/views/notifications/notifications-page.tsx'
import { TargetPage } from '../../src/views/notifications/target-form.tsx'
import { PodcastPage } from '../../src/views/podcasts/podcast-page.tsx'
import { DefaultRulePage, RulesPage } from '../../src/views/rules/rules-page.tsx'
import { SearchPage } from '../../src/views/search/search-page.tsx'
import { HealthPage } from '../../src/views/service/health-page.tsx'
import {
  bookmarkletOf,
  DownloadSettingsPage,
  PlaybackPage,
  SearchSettingsPage,
  TransferPage,
} from '../../src/views/settings/settings-page.tsx'
import { MonthsPage } from '../../src/views/videos/months.tsx'
import { NewPage } from '../../src/views/videos/new-page.tsx'
import { HistoryPage } from '../../src/views/watching/history-page.tsx'
import { ChoosePlaylistPage } from '../../src/views/watching/playlist-choice.tsx'
import { PlaylistPage, PlaylistsPage } from '../../src/views/watching/playlists-page.tsx'
import { TranscriptPage } from '../../src/views/watching/transcript.tsx'
import { WatchPage } from '../../src/views/watching/watch-page.tsx'
import { linksOutside } from '../support/app/below-path.ts'
import {
  apiToken,
  backfill,
  channel,
  channelList,
  facts,
  imported,
  line,
  listedChannel,
  looked,
  now,
  page,
  session,
  states,
  video,
} from '../support/app/samples.ts'
import { sourcesIn } from './source.ts'

const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>'`
const bad = video({
  video_id: `../../x?y#z&"'><b>.%`,
  title: hostile,
  description: `${hostile} javascript:alert(1) https://good.test/a?b=1&c="onclick=alert(1)`,
  channel_title: hostile,
  channel_id: `a/b?c"`,
  video_url: 'javascript:alert(1)',
  thumbnail_url: 'https://tracker.example/pixel.png',
  download_error: hostile,
})
const bad_on_disk = { ...bad, download_path: 'a/b/c.mp4', subtitles: ['en'], picture_url: '/pictures/a/large' }
const bad_channel = channel({
  channel_id: `a/b?c"`,
  title: hostile,
  rss_url: 'javascript:alert(1)',
  image_url: 'https://tracker.example/pixel.png',
  failing_since: now,
  fetch_error: hostile,
})
const odd_address = `https://h.example/?"'<b>`
const bad_listed = { ...bad_channel, newest_title: hostile }

const all = Object.values(states)
const bad_ones = (['pending', 'downloading', 'completed', 'failed'] as const).map((download_status, index) => ({
  ...bad,
  video_id: `${bad.video_id}${index}`,
  download_status,
}))
const known = Object.values(facts)
const bad_facts = known.map(({ title: _, ...fact }, index) => ({
  ...bad,
  ...fact,
  video_id: `${bad.video_id}fact${index}`,
  title: hostile,
}))
const pictured = { ...bad, video_id: 'pictured', picture_url: '/pictures/1/large' }
const list = [...all, ...bad_ones, ...known, ...bad_facts, pictured]
const hostile_rule: RuleFields = {
  ...RuleFields.parse({}),
  auto_download: 'on',
  title_words: hostile,
  title_pattern: hostile,
  most_per_day: hostile,
  live: hostile,
}
const hostile_playlist = { playlist_id: '11111111-1111-4111-8111-111111111111', name: hostile }
const hostile_video = { video_id: bad.video_id, title: hostile, published_at: now }
const settings: Settings = {
  quality: 'best',
  keyboard_shortcuts: false,
  skip_categories: ['sponsor'],
  captions_of_all: false,
  subtitle_languages: ['de', 'pt-BR'],
  quiet_from: '22:00',
  quiet_to: '07:00',
  time_zone: 'Europe/Zurich',
  messages_a_day: 50,
  media_names: hostile,
}
const hostile_preview: RulePreview = {
  would_download: [hostile_video],
  would_delete: [hostile_video],
  delete_count: 1,
  delete_bytes: 9e8,
  only_copies: 1,
  skipped: [
    { ...hostile_video, reason: hostile, fits: false },
    { ...hostile_video, reason: hostile, fits: true },
  ],
  newest_count: 2,
  newest_fits: 1,
  newest_downloads: 1,
  has_more: true,
  per_week: 0.3,
}
const fault = { url: hostile, username: hostile, password: hostile, password_confirmation: hostile }
const signed_out = page({ user: null })
const by = (status: string) => list.filter(({ download_status }) => download_status === status)

const nothing = { words: '', filters: [], hints: [], entries: [], channels: [], missing: null, next_cursor: null }
const pieces = [
  { text: hostile, match: true },
  { text: `rest ${hostile}`, match: false },
]
const bad_transcript = { language: 'en', automatic: true, lines: [{ start_seconds: 751, text: hostile }] }
const moments = [{ start_seconds: 751, text: hostile, highlighted: pieces }]
const found_videos = list.map(entry => ({ ...entry, highlights: { title: pieces, description: pieces }, moments }))

const found = (changes: Partial<FoundFeed> = {}): FoundFeed => ({
  rss_url: 'https://videos.example/feed',
  title: hostile,
  kind: 'channel',
  entries: 3,
  newest_at: now,
  ...changes,
})

const watched_space = { files: 600, bytes: 1e9, pinned: 2, only_copies: 1 }
const size = { count: 6000, bytes: 1e12 }
const outlook = { newest: { count: 0, bytes: 0 }, unwatched: size, year: size, all: size }
const site = 'https://backlot.example'
const group = {
  group_id: '5b0f8d6e-2f0c-4a57-9a0e-7f3f9d1c2b44',
  name: hostile,
  channels: 2,
  bell: true,
  unwatched: 1200,
}
const saved_search = { saved_search_id: `a/b?c"`, name: hostile, q: hostile, sort: 'newest' as const }
const saving = { searches: [saved_search] }
const column = { groups: [group], searches: [saved_search], channels: [{ ...bad_channel, unwatched: 5 }] }
const playlist = { playlist_id: '1f7d0a52-9c0e-4f43-8a57-3a1f2b6c9d10', name: hostile, videos: 1200 }
const group_form = { column, name: hostile, errors: fault }
const shelf = (entries: Video[]) => ({ entries, next_cursor: 'a b&c' })

const bad_person: Person = {
  username: hostile,
  role: 'admin',
  created_at: now,
  last_seen_at: now,
  locked_at: null,
  channels: 2,
  videos: 1200,
  on_disk_bytes: 5e9,
  quota_gb: 50,
  sessions: 1,
}
const bad_invitation = {
  invitation_id: `a/b?c"`,
  note: hostile,
  made_by: hostile,
  created_at: now,
  expires_at: now,
}
const bad_health: Health = {
  status: 'warning',
  warnings: [hostile],
  workers: 1,
  ytdlp: { version: hostile, age_days: 3, outdated: false, source: 'own' },
  renewal: RenewalReport.parse({ ...no_renewal, problem: hostile }),
  operator: {
    options: [hostile],
    plugins: [hostile],
    problem: hostile,
    completed_at: now.toISOString(),
    failed_at: now.toISOString(),
    failed_reason: hostile,
  },
  ffmpeg: { version: hostile },
  javascript: hostile,
  proxy: null,
  download_times: { hours: hostile, time_zone: hostile, begin_at: now, bytes_per_second: 5 },
  queue: { waiting: 1, running: 1, failed: 2, failing_sites: 2, oldest_waiting_seconds: 5 },
  feeds: { due: 3, late_seconds: 90, failing: 2 },
  pushed_feeds: 1,
  pictures: { waiting: 1, given_up: 1 },
  disk: { free_bytes: 1e9, bin_bytes: 5 },
  sites: ['one', 'two'].map(name => ({
    host: `${name}${hostile}`,
    failed: 1,
    reasons: [hostile],
    latest_error: hostile,
    rests_until: now,
    paused: ['feeds'],
    remedy: hostile,
  })),
}

const media_server = {
  server_id: hostile,
  kind: 'emby' as const,
  address: hostile,
  person: hostile,
  created_at: now,
  exchanged_at: now,
  failing_since: now,
  fault: hostile,
}
const server_form = {
  values: { kind: hostile, address: hostile, person: hostile },
  errors: { body: hostile, kind: hostile, address: hostile, key: hostile, person: hostile },
}

const target = (changes: Partial<Target> = {}): Target => ({
  target_id: 'a',
  kind: 'webhook',
  address: `https://hook.example/?"'<b>`,
  has_secret: true,
  events: ['space'],
  created_at: now,
  delivered_at: now,
  fault: hostile,
  ...changes,
})

// What most samples of a page have in common.
const of_watch = { page: page(), start: { at_seconds: 5, is_resumed: true }, neighbours: { newer: [], older: [] } }
const of_new = { page: page(), filter: {}, groups: [], time_zone: 'UTC', column }
const of_channel = {
  page: page(),
  channel: bad_channel,
  filter: { q: '', sort: 'newest' as const },
  view: 'grid' as const,
  is_choosing: false,
  added: 0,
  only_copies: 2,
  videos: { entries: list, next_cursor: null },
  counts: { pending: 3, downloading: 1, completed: 1200, failed: 1 },
}
const of_search = { page: page({ path: '/search' }), q: hostile, sort: 'newest' as const, saving, groups: [] }
const of_found = { page: page(), url: hostile, found: [], followed: undefined, newest: [] }
const of_account = {
  page: page({ user: { username: hostile, role: 'member' } }),
  passkeys: [],
  identities: [],
  sessions: [],
}
const of_end = { page: of_account.page, holdings: { channels: 1, videos: 38, on_disk_bytes: 0 }, errors: fault }
const no_column = { groups: [], searches: [], channels: [] }

const pages: Record<string, unknown> = {
  register: <RegisterPage page={signed_out} values={{ username: hostile }} errors={fault} error={hostile} />,
  login: (
    <LoginPage
      page={signed_out}
      values={{ username: hostile, remember: true, next: hostile }}
      provider={hostile}
      error={hostile}
    />
  ),
  'continue to a provider': <ContinuePage page={page()} label={hostile} url="https://id.example/?a=b&c" to="link" />,
  home: (
    <NewPage
      {...of_new}
      page={page({ user: { username: hostile, role: 'member' }, flash: [{ kind: 'problem', text: hostile }] })}
      news={{ videos: { entries: list, next_cursor: 'a b&c' }, new_since: null, unfinished: [bad] }}
    />
  ),
  'home with news': (
    <NewPage
      page={page({
        flash: [
          {
            kind: 'done',
            text: hostile,
            undo: { do: 'unsee', video_id: bad.video_id },
            followed: { channel_id: bad_channel.channel_id, has_choice: true },
          },
        ],
      })}
      news={{
        videos: {
          entries: [...list, { ...bad, video_id: 'new', first_seen_at: now, seen_at: now }],
          next_cursor: null,
        },
        new_since: new Date('2026-11-20T11:00:00Z'),
        unfinished: [{ ...bad_ones[0], ...bad, position_seconds: 30, duration_seconds: 100 }],
      }}
      filter={{ seen: 'false', group: 'b', live: 'true' }}
      groups={[{ group_id: 'a b&c', name: hostile }]}
      time_zone="Asia/Tokyo"
    />
  ),
  'empty home': (
    <NewPage
      {...of_new}
      page={page({ follows_any: false })}
      news={{ videos: { entries: [], next_cursor: null }, new_since: null, unfinished: [] }}
      column={no_column}
    />
  ),
  'watch a hostile one': (
    <WatchPage
      {...of_watch}
      video={bad}
      neighbours={{ newer: list.slice(0, 3), older: list.slice(3) }}
      channel={bad_channel}
      file={{ is_only_copy: true, restorable_until: undefined, can_forget: true }}
    />
  ),
  ...Object.fromEntries(
    bad_facts.map((video, index) => [
      `watch a hostile ${Object.keys(facts)[index]} one`,
      <WatchPage {...of_watch} video={video} />,
    ]),
  ),
  'watch what is on disk': (
    <WatchPage
      {...of_watch}
      video={video({ ...pictured, download_status: 'completed', description: `${hostile} 1:10 "1:11` })}
      neighbours={{ newer: all.slice(0, 3), older: all.slice(3) }}
    />
  ),
  downloads: (
    <DownloadsPage
      page={page()}
      overview={{
        query: { sort: 'newest' },
        notices: [{ host: hostile, waiting: 2, paused_at: null, rests_until: now, held_until: null }],
        tally: { running: 1, waiting: 1, failed: 1, done: 1, on_disk_bytes: 5 },
        shelves: {
          running: shelf(by('downloading')),
          waiting: shelf(by('pending')),
          failed: shelf(by('failed')),
          done: shelf(by('completed')),
        },
        quota_bytes: null,
        hours_begin_at: now,
      }}
    />
  ),
  groups: <GroupsPage page={page()} {...group_form} errors={{ name: hostile }} />,
  'no groups': <GroupsPage page={page()} column={no_column} name="" errors={{}} />,
  'a group': (
    <GroupPage
      page={page()}
      {...group_form}
      group={group}
      channels={[channel(), bad_channel]}
      chosen={new Set([bad_channel.channel_id])}
    />
  ),
  'the groups of a channel': (
    <ChannelGroupsPage page={page()} {...group_form} channel={bad_channel} chosen={new Set([group.group_id])} />
  ),
  history: (
    <HistoryPage
      page={page()}
      column={column}
      watched={{ entries: list.map(entry => ({ ...entry, watched_at: now })), next_cursor: 'a b&c' }}
      q={hostile}
      time_zone="Asia/Tokyo"
    />
  ),
  playlists: <PlaylistsPage page={page()} {...group_form} playlists={[{ ...playlist, picture_url: null }]} />,
  'no playlists': <PlaylistsPage page={page()} {...group_form} playlists={[]} />,
  'a playlist in order': (
    <PlaylistPage
      page={page()}
      {...group_form}
      shown={{ playlist, videos: { entries: list, next_cursor: 'a b&c' }, first: 1 }}
      plays={bad.video_id}
    />
  ),
  'a playlist for videos': (
    <ChoosePlaylistPage
      page={page()}
      column={column}
      title={hostile}
      playlists={[
        { ...playlist, has: 2 },
        { ...playlist, has: 1 },
      ]}
      video_ids={['a', hostile]}
      name={hostile}
      error={hostile}
    />
  ),
  'the question before files go': <RemovePage page={page()} video_ids={['a', hostile]} bytes={5} only_copies={1} />,
  'the question before the files of a channel go': (
    <DeleteChannelFilesPage page={page()} channel={bad_channel} files={600} bytes={5} pinned={1} only_copies={1} />
  ),
  'videos to download': <ScopesPage page={page()} of={{ channel_id: bad_channel.channel_id }} outlook={outlook} />,
  'the question before many downloads': (
    <ScopeQuestionPage
      page={page()}
      scope={{ which: 'all', channel_id: bad_channel.channel_id }}
      question={{ ...outlook.all, free_bytes: 1, quota_left: null }}
    />
  ),
  channels: (
    <ChannelsPage
      page={page()}
      list={channelList([listedChannel({ picture_url: '/pictures/2/large' }), listedChannel(bad_listed)])}
    />
  ),
  'no channels': <ChannelsPage page={page()} list={channelList([])} />,
  channel: (
    <ChannelPage
      {...of_channel}
      backfill={backfill({ state: 'incomplete', error: hostile, finished_at: now })}
      videos={{ entries: list, next_cursor: 'a b&c' }}
      filter={{ status: 'failed', q: hostile, sort: 'longest', month: '2025-03' }}
      view="list"
      is_choosing
      added={3}
    />
  ),
  'a channel whose older videos are being loaded': (
    <ChannelPage
      {...of_channel}
      backfill={backfill({ state: 'queued', error: hostile, next_attempt_at: new Date(now.getTime() + 600_000) })}
      videos={{ entries: [], next_cursor: null }}
      counts={{ pending: 0, downloading: 0, completed: 0, failed: 0 }}
    />
  ),
  'a channel that is not followed': (
    <ChannelPage
      {...of_channel}
      backfill={backfill()}
      channel={channel({
        ...bad_channel,
        followed: false,
        rss_url: null,
        fetch_error: null,
        page_url: odd_address,
      })}
      added={1205}
    />
  ),
  'disk space': (
    <SpacePage
      page={page()}
      space={{
        files: 5000,
        on_disk_bytes: 1e12,
        quota_bytes: 1e9,
        free_bytes: 5,
        channels: [{ ...bad_channel, files: 5, bytes: 7 }],
        watched: { 7: watched_space, 30: watched_space, 90: watched_space },
      }}
      days={30}
      all={false}
      largest={list}
      long_watched={list}
    />
  ),
  'settings of notifications': (
    <NotificationsPage
      page={page({ user: { username: hostile, role: 'admin' } })}
      targets={[target(), target({ kind: 'browser', fault: null })]}
      public_key={hostile}
      is_mail_on={false}
      has_links={false}
      values={{ kind: hostile, address: hostile, events: [hostile] }}
      times={{ quiet_from: hostile, quiet_to: hostile, time_zone: hostile, messages_a_day: hostile }}
      zone_here={hostile}
      errors={{ body: hostile, kind: hostile, address: hostile, secret: hostile, events: hostile }}
      time_errors={{ quiet_from: hostile, quiet_to: hostile, time_zone: hostile, messages_a_day: hostile }}
    />
  ),
  'where a person is told': (
    <TargetPage
      page={page()}
      target={target()}
      values={{ kind: 'webhook', address: hostile, events: ['space'] }}
      errors={{ body: hostile, address: hostile, secret: hostile, events: hostile }}
    />
  ),
  'links and podcasts': (
    <LinksPage
      page={page()}
      links={[
        ...[hostile, null].map(title => ({
          link_id: hostile,
          kind: 'share' as const,
          video_id: bad.video_id,
          title,
          created_at: now,
          last_used_at: null,
          expires_at: now,
        })),
      ]}
      podcasts={[
        {
          podcast_id: hostile,
          of: { list: 'all' },
          kind: 'audio',
          newest: 50,
          title: hostile,
          created_at: now,
          last_used_at: now,
        },
      ]}
      missing={new Map([[hostile, hostile]])}
      created={{ podcast_id: hostile, url: hostile }}
    />
  ),
  'a video elsewhere': <ElsewherePage page={page()} video={bad} created={{ kind: 'share', url: hostile }} />,
  'a new podcast': (
    <PodcastPage
      page={page()}
      subject={{ title: hostile, path: '/downloads', fields: { channel_id: hostile } }}
      values={{ kind: hostile, newest: hostile }}
      errors={{ body: hostile, kind: hostile, newest: hostile }}
    />
  ),
  'the address of a podcast': (
    <PodcastPage
      page={page()}
      subject={{ title: hostile, path: '/downloads', fields: {} }}
      url={hostile}
      values={{ kind: 'video', newest: '50' }}
      errors={{}}
    />
  ),
  months: <MonthsPage page={page()} path="/" sort="newest" months={[{ month: '2025-03', count: 1200 }]} />,
  'single videos': (
    <SingleVideosPage
      page={page()}
      list={channelList([listedChannel({ ...bad_listed, followed: false })], {
        of: 'unfollowed',
        unfollowed: 25,
        next_cursor: '100',
      })}
    />
  ),
  'no single videos': <SingleVideosPage page={page()} list={channelList([], { of: 'unfollowed' })} />,
  'many channels': (
    <ChannelsPage
      page={page()}
      list={channelList(
        Array.from({ length: 25 }, (_, at) => listedChannel({ ...bad_listed, channel_id: `c${at}` })),
        { q: hostile, order: 'failing', failing: 25, next_cursor: '100' },
      )}
    />
  ),
  'selecting channels': (
    <ChannelsPage
      page={page()}
      list={channelList([listedChannel(), listedChannel(bad_listed)], { order: 'size' })}
      groups={[{ group_id: hostile, name: hostile, channels: 1, bell: false, unwatched: 2 }]}
    />
  ),
  'the question before channels go': (
    <UnfollowPage
      page={page()}
      holdings={{ channels: Array.from({ length: 14 }, () => bad_channel), files: 2, bytes: 5, only_copies: 1 }}
    />
  ),
  'channels of a name': (
    <NamedChannelsPage
      page={page()}
      name={hostile}
      found={{
        channels: [undefined, bad_channel].map(followed => ({
          title: hostile,
          page_url: 'javascript:alert(1)',
          site: hostile,
          followed,
          feed: found({ entries: null, newest_at: null }),
        })),
        tried: [hostile],
      }}
    />
  ),
  'no channel called like that': <ChannelsPage page={page()} list={channelList([], { followed: 40, q: hostile })} />,
  'an empty search': <SearchPage {...of_search} q="" sort="relevance" result={nothing} />,
  'a search that found nothing': (
    <SearchPage
      {...of_search}
      result={{ ...nothing, words: hostile }}
      groups={[{ group_id: saving.searches[0]?.saved_search_id ?? '', name: hostile }]}
      column={column}
    />
  ),
  'a search': (
    <SearchPage
      {...of_search}
      result={{
        words: hostile,
        filters: [{ typed: hostile, means: hostile, without: hostile }],
        hints: [hostile, null].map(instead => ({ typed: hostile, hint: hostile, instead })),
        entries: found_videos,
        channels: [channel(), bad_channel],
        missing: { url: hostile, kind: 'video' },
        next_cursor: 'a b&c',
      }}
      saving={{ searches: [], refused: { name: hostile, error: hostile } }}
    />
  ),
  'a transcript': <TranscriptPage can_play page={page()} video={bad} transcript={bad_transcript} />,
  'what was found': (
    <FoundPage
      {...of_found}
      found={[found(), found({ kind: 'feed', rss_url: odd_address, entries: null, newest_at: null })]}
      followed={bad_channel}
      newest={[{ ...video(), title: hostile, thumbnail_url: 'javascript:alert(1)' }, ...bad_facts]}
    />
  ),
  'a new video was found': (
    <FoundPage
      {...of_found}
      found={[found()]}
      video={{
        video: looked({ title: hostile, live_status: 'upcoming', starts_at: new Date('2026-11-23T12:00:00Z') }),
      }}
    />
  ),
  'a known video was found': <FoundPage {...of_found} video={{ known: bad }} />,
  'several videos were found': (
    <FoundPage {...of_found} video={{ list: { title: hostile, count: 3, can_follow: false, sentence: hostile } }} />
  ),
  'nothing found': <AddPage page={page()} url={hostile} error={hostile} tried={[hostile]} />,
  imports: (
    <ImportsPage page={page()} recent={[imported(), imported({ finished_at: now })]} text={hostile} error={hostile} />
  ),
  'an import that runs': (
    <ImportPage page={page()} imported={imported()} lines={[line(), line({ address: hostile, title: hostile })]} />
  ),
  'an import that is over': (
    <ImportPage
      page={page()}
      imported={imported({ finished_at: now, waiting: 0, failed: 1 })}
      lines={[
        line({ outcome: 'failed', message: hostile, address: 'javascript:alert(1)', title: null }),
        line({ outcome: 'added', channel_id: `a/b?c"` }),
      ]}
    />
  ),
  'an import of everything': (
    <ImportPage
      page={page()}
      imported={imported({
        kind: 'archive',
        total: 0,
        content: Object.fromEntries(Object.keys(no_content).map((name, at) => [name, at + 1])) as ImportContent,
      })}
      lines={[]}
    />
  ),
  'settings of playback': <PlaybackPage page={page()} settings={settings} />,
  'found settings': (
    <PlaybackPage
      page={page()}
      settings={settings}
      search={{ q: hostile, found: [{ label: 'Quality', subject: 'Downloads', href: '/settings/downloads#quality' }] }}
    />
  ),
  'settings of downloads': (
    <DownloadSettingsPage
      page={page()}
      settings={settings}
      storage={{ quota_bytes: 5e9, on_disk_bytes: 7e9 }}
      auto_download={true}
    />
  ),
  'settings of the search': (
    <SearchSettingsPage page={page()} settings={settings} captions={{ videos: 2400, asked: 120 }} />
  ),
  'media servers in the settings': (
    <MediaPage page={page()} media_names={hostile} is_kept={false} paths={[hostile]} error={hostile} />
  ),
  'the media servers of a person': (
    <MediaServersPage page={page()} servers={[media_server]} can_store form={server_form} />
  ),
  'one media server': <MediaServerPage page={page()} server={media_server} form={server_form} />,
  'import and export in the settings': <TransferPage page={page()} site={site} />,
  'the settings of a channel': (
    <ChannelSettingsPage
      page={page()}
      channel={bad_channel}
      usual="best"
      playlists={[hostile_playlist]}
      values={{ ...hostile_rule, playlist_id: hostile_playlist.playlist_id }}
      errors={{ title_words: hostile, live: hostile }}
      preview={hostile_preview}
    />
  ),
  'the default rule': (
    <DefaultRulePage
      page={page()}
      playlists={[hostile_playlist]}
      values={hostile_rule}
      errors={{ keep_days: hostile }}
      followed={3}
    />
  ),
  'rules of several channels': (
    <RulesPage
      page={page()}
      playlists={[]}
      values={hostile_rule}
      errors={{ channel_ids: hostile }}
      preview={{
        ...hostile_preview,
        fitting: [hostile_video],
        unfitting: Array.from({ length: 9 }, () => ({ ...hostile_video, reason: hostile })),
      }}
      channels={[bad_channel, channel()]}
      chosen={new Set([bad_channel.channel_id])}
    />
  ),
  account: (
    <AccountPage
      {...of_account}
      passkeys={[{ passkey_id: '1', name: hostile, created_at: now, last_used_at: now }]}
      has_password
      proxy_name={hostile}
      sessions={[session(), session({ session_id: 'b', device: hostile })]}
      here="a"
      identities={[
        { issuer: 'https://id.example', subject: hostile, name: hostile, created_at: now, last_used_at: now },
      ]}
      provider={hostile}
      errors={{ ...fault, current_password: hostile, proxy_name: hostile }}
      link_errors={{ current_password: hostile }}
    />
  ),
  'an account without a password': (
    <AccountPage
      {...of_account}
      page={{ ...of_account.page, by_proxy: true }}
      has_password={false}
      here={undefined}
      errors={fault}
    />
  ),
  'the end of an account': <DeletePage {...of_end} has_password />,
  'the end of an account without a password': <DeletePage {...of_end} has_password={false} />,
  people: (
    <PeoplePage
      page={page({ user: { username: hostile, role: 'admin' }, path: '/admin' })}
      shown={{
        people: [bad_person, { ...bad_person, locked_at: now }],
        q: hostile,
        sort: 'bytes',
        next_cursor: 'a b&c',
      }}
      service_quota_gb={50}
    />
  ),
  'no people': (
    <PeoplePage
      page={page()}
      shown={{ people: [], q: hostile, sort: 'name', next_cursor: null }}
      service_quota_gb={0}
    />
  ),
  'a person': (
    <PersonPage
      page={page()}
      person={bad_person}
      service_quota_gb={50}
      reset={{ url: hostile, expires_at: now }}
      typed_quota={hostile}
      errors={{ quota_gb: hostile, role: hostile, locked: hostile, delete: hostile }}
    />
  ),
  'a locked person': <PersonPage page={page()} person={{ ...bad_person, locked_at: now }} service_quota_gb={0} />,
  invitations: (
    <InvitationsPage
      page={page()}
      invitations={[bad_invitation]}
      created={{ invitation_id: bad_invitation.invitation_id, url: hostile, expires_at: now }}
      values={{ days: hostile, note: hostile }}
      errors={{ days: hostile, note: hostile }}
    />
  ),
  log: (
    <LogPage
      page={page()}
      acts={ActName.options.map(act => ({ at: now, by: hostile, act, username: hostile, detail: hostile }))}
      next_cursor="a b&c"
    />
  ),
  status: <HealthPage page={page()} health={bad_health} />,
  tokens: (
    <TokensPage
      page={page()}
      tokens={[apiToken({ name: hostile, expires_at: now }), apiToken({ token_id: 'b', last_used_at: now })]}
      created={{ token_id: 'b', token: hostile }}
      values={{ name: hostile, scope: hostile, expires_in_days: hostile }}
      errors={{ name: hostile }}
    />
  ),
  link: <SharePage versions={page().versions} video={bad_on_disk} file_name={`${hostile}.mp4`} path="/s/secret" />,
  'link that opens nothing': <LinkFaultPage versions={page().versions} fault={{ title: hostile, detail: hostile }} />,
  error: <ErrorPage page={page()} title={hostile} detail={hostile} next={{ href: '/', label: hostile }} />,
}

/** Pages for people without an account: no form, and no script. */
const of_links = new Set(['link', 'link that opens nothing'])

describe.each(Object.entries(pages).map(([name, node]) => ({ name, html: String(node) })))(
  '$name',
  ({ name, html }) => {
    const tags = tagsOf(html)
    const attributes = tags.flatMap(tag => [...tag.attributes].map(([name, value]) => ({ tag: tag.name, name, value })))

    it(`the page ${name} is one whole document`, () => {
      expect(html).toMatch(/^<!doctype html><html lang="en" data-theme="system">.*<\/html>$/s)
      expect(tags.filter(({ name }) => name === 'h1')).toHaveLength(1)
    })

    it(`the page ${name} skips no level of headings`, () => {
      const levels = tags.filter(({ name }) => /^h[1-6]$/.test(name)).map(({ name }) => Number(name.slice(1)))
      expect(levels.filter((level, at) => level > (levels[at - 1] ?? level) + 1)).toEqual([])
    })

    it(`the page ${name} gives the exact time or the day next to every relative one`, () => {
      const times = [...html.matchAll(/<time([^>]*)>([^<]*)</g)]
      const vague = times.filter(([, , words = '']) => /\b(ago|in a|in \d|just now)\b/.test(words))
      for (const [tag] of vague)
        expect(tag).toMatch(/title="[^"]* at \d\d:\d\d UTC"|datetime="\d{4}-\d\d-\d\d" title="\d/)
    })

    it(`the page ${name} runs no hostile text`, () => {
      expect(['<script>', '<img src=x', '<b>'].filter(text => html.includes(text))).toEqual([])
      expect(tags.filter(({ name }) => name === 'script').map(({ attributes }) => attributes.get('src'))).toEqual(
        of_links.has(name)
          ? []
          : [
              undefined, // The import map.
              '/static/htmx.js',
              '/static/page/clocks.js',
              '/static/page/every-page.js',
              // For people who are signed in.
              ...(html.includes('class="main-nav"')
                ? ['/static/page/dropping.js', '/static/page/search-suggestions.js']
                : []),
              ...(name.startsWith('watch') ? ['/static/player/watch-page.js'] : []),
              ...(name.includes('home') ? ['/static/page/list-keys.js'] : []),
              ...(['login', 'account', 'an account without a password'].includes(name)
                ? ['/static/page/passkeys.js']
                : []),
              ...(name === 'settings of notifications' ? ['/static/page/web-push.js'] : []),
              ...(name.includes('in order') ? ['/static/page/playlist.js'] : []),
            ],
      )
      const addresses = attributes.filter(({ name }) =>
        ['href', 'src', 'poster', 'action', 'hx-post', 'hx-get'].includes(name),
      )
      // The bookmark is a script for other sites. The content security policy stops it on this one.
      const others = addresses.filter(({ value }) => value !== bookmarkletOf(site))
      expect(others.filter(({ value }) => !/^(\/(?!\/)|https?:\/\/|#(main|end)$)/.test(value))).toEqual([])
    })

    it(`the page ${name} has the path of PUBLIC_URL in each address, and in no word`, () => {
      const below = htmlBelow(html, '/below')
      expect(linksOutside(below, '/below')).toEqual([])
      const words = (text: string) => text.replace(/<script type="importmap">.*?<\/script>|<[^>]*>/gs, '')
      expect(words(below)).toBe(words(html))
      expect(below.replaceAll('"/below/', '"/')).toBe(html)
    })

    it(`the page ${name} loads nothing from other sites`, () => {
      const loaded = tags.flatMap(({ name, attributes }) => [
        ...['src', 'poster'].map(kind => attributes.get(kind)),
        ...(attributes.get('srcset')?.split(', ') ?? []),
        name === 'link' ? attributes.get('href') : undefined,
      ])
      expect(loaded.filter(address => address !== undefined && !/^(\/(?!\/)|#end$)/.test(address))).toEqual([])
    })

    it(`the page ${name} has no scripts or styles in its attributes, as the content security policy demands`, () => {
      expect(attributes.filter(({ name }) => /^on|^style$|^hx-on|^srcdoc$/.test(name))).toEqual([])
      expect(
        attributes.filter(({ name, value }) => name.startsWith('hx-') && /js:|javascript:|\[/.test(value)),
      ).toEqual([])
      expect(tags.filter(({ name }) => name === 'style')).toEqual([])
    })

    it(`the page ${name} has each id once, and refers to no missing id`, () => {
      const ids = attributes.filter(({ name }) => name === 'id').map(({ value }) => value)
      expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
      const references = attributes.filter(({ name }) =>
        ['for', 'form', 'aria-labelledby', 'aria-describedby'].includes(name),
      )
      expect(references.flatMap(({ value }) => value.split(' ')).filter(id => !ids.includes(id))).toEqual([])
    })

    it(`the page ${name} has an action and a method in every form, and nests no form`, () => {
      const forms = tags.filter(({ name }) => name === 'form')
      expect(forms.length > 0).toBe(!of_links.has(name))
      for (const { attributes: form } of forms) {
        expect(form.get('method')).toMatch(/^(get|post)$/)
        expect(form.get('action')).toMatch(/^\//)
        expect(form.get('hx-post') ?? form.get('action')).toBe(form.get('action'))
      }
      let depth = 0
      for (const { 1: slash } of html.matchAll(/<(\/?)form\b/g)) {
        depth += slash ? -1 : 1
        expect(depth).toBeLessThanOrEqual(1)
      }
    })

    it(`the page ${name} has a label for every control`, () => {
      const labels = new Set(attributes.filter(({ name }) => name === 'for').map(({ value }) => value))
      const unnamed = tags.filter(
        ({ name, attributes: input }) =>
          name === 'input' &&
          !['hidden', 'checkbox', 'radio'].includes(input.get('type') ?? '') &&
          !input.has('aria-label') &&
          !labels.has(input.get('id') ?? ''),
      )
      expect(unnamed).toEqual([])
    })
  },
)

type Tag = { name: string; attributes: Map<string, string> }

/** Reads every start tag with its attributes, as a browser does: a quoted value may contain anything but the quote. */
function tagsOf(html: string): Tag[] {
  return [...html.matchAll(/<([a-z][a-z0-9-]*)((?:\s+[^\s=>/]+(?:="[^"]*")?)*)\s*\/?>/g)].map(([, name, rest]) => ({
    name: name ?? '',
    attributes: new Map(
      [...(rest ?? '').matchAll(/([^\s=]+)(?:="([^"]*)")?/g)].map(([, key, value]) => [
        key ?? '',
        unescaped(value ?? ''),
      ]),
    ),
  }))
}

const unescaped = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

it('no view reads the address of a picture on another site', async () => {
  const views = (await sourcesIn('src/views')).filter(({ text }) => /thumbnail_url|image_url/.test(text))
  expect(views.map(({ path }) => path)).toEqual([])
})
