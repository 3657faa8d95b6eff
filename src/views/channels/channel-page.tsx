/** One channel: its facts, its actions, and the list of its videos. */
import { type Channel, knownSoFar } from '../../schema/channels/channel.ts'
import type { ListView, ShownChannel } from '../../schema/channels/channel-api.ts'
import { channelPath, pathWith } from '../../schema/http/paths.ts'
import type { LibraryColumn } from '../../schema/search/saved-search.ts'
import { DownloadMenu } from '../downloads/download-menu.tsx'
import { movingIds, Polling } from '../downloads/polling.tsx'
import type { PageContext } from '../frames/context.ts'
import { Layout } from '../frames/layout.tsx'
import { Avatar } from '../parts/thumbnails.tsx'
import { Older, videos_id } from '../ui/lists.tsx'
import { ChoosingBar, choosing_form } from '../videos/choosing.tsx'
import { VideoGrid, VideoRows } from '../videos/video-grid.tsx'
import { Active, type Filter, FilterMenu, Finder, parametersOf } from './channel-filters.tsx'
import { ChannelMenu, FollowButton } from './channel-menu.tsx'
import { Freshness, OlderVideos } from './freshness.tsx'

type ChannelProps = ShownChannel & {
  page: PageContext
  filter: Filter
  view: ListView
  column?: LibraryColumn | undefined
  /** With a checkbox beside each video. */
  is_choosing: boolean
}

export const ChannelPage = (props: ChannelProps) => {
  const { page, channel, backfill, videos, filter, is_choosing, column } = props
  return (
    <Layout page={page} title={channel.title} column={column && { library: column, here: channelPath(channel) }}>
      <header class="heading of-channel">
        <Avatar channel={channel} large />
        <h1>
          <bdi>{channel.title}</bdi>
        </h1>
        <Freshness channel={channel} now={page.now} />
        <Actions {...props} />
      </header>
      <Active {...props} />
      <div id="history">
        {is_choosing && (
          <ChoosingBar
            done={pathWith(channelPath(channel), parametersOf(filter))}
            list={filter.seen ? 'seen' : undefined}
          />
        )}
        {videos.entries.length === 0 ? <NothingHere channel={channel} filter={filter} /> : <Videos {...props} />}
        <Older
          path={channelPath(channel)}
          parameters={{ ...parametersOf(filter), select: is_choosing ? '1' : undefined }}
          cursor={videos.next_cursor}
          label={filter.sort === 'newest' ? 'Older videos' : 'More videos'}
        />
        <Polling video_ids={movingIds(videos.entries)} />
      </div>
      {channel.followed && <OlderVideos channel={channel} backfill={backfill} now={page.now} />}
    </Layout>
  )
}

const Actions = (props: ChannelProps) => {
  const { page, channel, backfill, filter, counts, added, only_copies } = props
  // The counts follow the filter, so they say nothing about all files of the channel.
  const files = filter.q || filter.seen !== undefined ? undefined : counts.completed
  return (
    <div class="actions">
      {!channel.followed && <FollowButton channel={channel} />}
      {channel.entry_count > 0 && (
        <DownloadMenu
          of={{ channel_id: channel.channel_id }}
          known={knownSoFar(channel, backfill)}
          kind={channel.followed ? 'main' : 'plain'}
        />
      )}
      <ChannelMenu
        channel={channel}
        filter={filter}
        files={files}
        added={added}
        only_copies={only_copies}
        now={page.now}
        bin_hours={page.bin_hours}
      />
      {channel.entry_count > 0 && (
        <>
          <FilterMenu {...props} />
          <Finder {...props} />
        </>
      )}
    </div>
  )
}

const Videos = ({ page, videos: { entries }, view, is_choosing }: ChannelProps) => {
  const how = { id: videos_id, videos: entries, now: page.now, choose_for: is_choosing ? choosing_form : undefined }
  return view === 'grid' ? <VideoGrid {...how} above={0} of_channel /> : <VideoRows {...how} />
}

const NothingHere = ({ channel, filter }: { channel: Channel; filter: Filter }) => (
  <p class="empty">
    {filter.q || filter.status || filter.seen !== undefined || filter.month ? (
      <>
        No video matches. <a href={channelPath(channel)}>Show all</a>
      </>
    ) : (
      'No videos yet. New videos will appear here.'
    )}
  </p>
)
