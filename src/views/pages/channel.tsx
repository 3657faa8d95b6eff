/** One channel: its facts, its actions, and the history of its videos. */
import type { ShownBackfill } from '../../schema/backfill.ts'
import type { Channel } from '../../schema/channel.ts'
import { awaitsPicture } from '../../schema/picture.ts'
import type { ListedVideo, Page } from '../../schema/video.ts'
import { Avatar } from '../parts/avatar.tsx'
import { BackfillStatus, LoadOlder } from '../parts/backfill.tsx'
import { Batch, batch_form, ChooseAll } from '../parts/batch.tsx'
import { type Counts, type Filter, Filters } from '../parts/channel-filters.tsx'
import type { PageContext } from '../parts/context.ts'
import { DownloadMenu } from '../parts/download-menu.tsx'
import { FollowAgain } from '../parts/follow-again.tsx'
import { Button } from '../parts/forms.tsx'
import { Freshness } from '../parts/freshness.tsx'
import { Layout } from '../parts/layout.tsx'
import { Older, videos_id } from '../parts/older.tsx'
import { onlyCopyWords, undoWords } from '../parts/only-copy.ts'
import { movingIds, Polling } from '../parts/polling.tsx'
import { VideoRows } from '../parts/video-rows.tsx'
import { channelPath, countWords, siteWords, webUrl } from '../parts/words.ts'
import { settingsPath } from './channel-settings.tsx'

type ChannelProps = {
  page: PageContext
  channel: Channel
  backfill: ShownBackfill
  history: Page<ListedVideo>
  filter: Filter
  /** The number of videos in each status. */
  counts: Counts
  /** How many videos the person added by their address. They stay when the channel is unfollowed. */
  added: number
  /** How many files would be deleted with the channel and could not be downloaded again. */
  only_copies: number
}

export const ChannelPage = ({ page, channel, backfill, history, filter, counts, added, only_copies }: ChannelProps) => (
  <Layout page={page} title={channel.title}>
    <header class="heading of-channel">
      <Avatar channel={channel} is_awaited={awaitsPicture(channel)} large />
      <h1>
        <bdi>{channel.title}</bdi>
      </h1>
      <Freshness channel={channel} now={page.now} with_next />
      {channel.followed ? (
        <ChannelActions {...{ page, channel, backfill, counts, filter, added, only_copies }} />
      ) : (
        <UnfollowedActions page={page} channel={channel} />
      )}
    </header>
    {channel.followed && <BackfillStatus channel={channel} backfill={backfill} now={page.now} />}
    <Filters channel={channel} filter={filter} counts={counts} />
    <div id="history">
      {history.entries.length === 0 ? (
        <NothingHere channel={channel} filter={filter} />
      ) : (
        <>
          <ChooseAll />
          <VideoRows id={videos_id} videos={history.entries} now={page.now} choose_for={batch_form} />
          <Batch />
        </>
      )}
      <Older
        path={channelPath(channel)}
        parameters={{ ...filter, seen: filter.seen?.toString() }}
        cursor={history.next_cursor}
      />
      <Polling video_ids={movingIds(history.entries)} />
    </div>
  </Layout>
)

type ActionsProps = Pick<ChannelProps, 'page' | 'channel' | 'backfill' | 'filter' | 'counts' | 'added' | 'only_copies'>

const ChannelActions = ({ page, channel, backfill, filter, counts, added, only_copies }: ActionsProps) => {
  const feed = webUrl(channel.rss_url)
  // The counts follow the filter, so they say nothing about all files of the channel.
  const files = filter.q || filter.seen !== undefined ? undefined : counts.completed
  return (
    <div class="actions">
      <DownloadMenu of={{ channel_id: channel.channel_id }} kind="main" />
      <form method="post" action={`${channelPath(channel)}/refresh`}>
        <Button busy="Checking…">Refresh</Button>
      </form>
      {channel.followed && <LoadOlder channel={channel} backfill={backfill} />}
      {feed && (
        <a class="button plain" href={feed} rel="noreferrer">
          Feed
        </a>
      )}
      <MarkAll page={page} channel={channel} />
      <a class="button plain" href={settingsPath(channel)}>
        Settings
      </a>
      <details class="menu">
        <summary class="button plain">Unfollow</summary>
        <form class="panel" method="post" action={`${channelPath(channel)}/delete`}>
          <p>
            {unfollowWords(channel, files, added)} {onlyCopyWords(files ?? 2, only_copies)}
            {undoWords(page.bin_hours, 'all of it')}
          </p>
          <Button kind="danger" busy="Unfollowing…">
            Unfollow
          </Button>
        </form>
      </details>
    </div>
  )
}

/** A channel with single videos: nothing is fetched, so there is nothing to refresh or to unfollow. */
const UnfollowedActions = ({ page, channel }: Pick<ChannelProps, 'page' | 'channel'>) => {
  const address = webUrl(channel.page_url)
  return (
    <div class="actions">
      <DownloadMenu of={{ channel_id: channel.channel_id }} kind="main" />
      <FollowAgain channel={channel} />
      <MarkAll page={page} channel={channel} />
      {address && (
        <a class="button plain" href={address} rel="noreferrer">
          Open on {siteWords(address)}
        </a>
      )}
    </div>
  )
}

const MarkAll = ({ page, channel }: Pick<ChannelProps, 'page' | 'channel'>) => (
  <form method="post" action="/videos/seen">
    <input type="hidden" name="until" value={page.now.toISOString()} />
    <input type="hidden" name="channel_id" value={channel.channel_id} />
    <Button busy="Marking…">Mark all as watched</Button>
  </form>
)

/** `files`: how many are on disk; undefined when that is not known. `added`: how many videos stay. */
function unfollowWords({ title, entry_count }: Channel, files: number | undefined, added: number): string {
  if (added > 0) return unfollowSomeWords(title, entry_count - added, added)
  const deletes =
    files === undefined ? ' and deletes their files' : files > 0 ? ` and deletes ${countWords(files, 'file')}` : ''
  return `Unfollow ${title}? This removes ${countWords(entry_count, 'video')} from your list${deletes}.`
}

function unfollowSomeWords(title: string, removed: number, added: number): string {
  const removes =
    removed > 0 ? ` This removes ${countWords(removed, 'video')} from your list and deletes their files.` : ''
  return `Unfollow ${title}?${removes} ${countWords(added, 'video')} that you added ${added === 1 ? 'stays' : 'stay'}.`
}

const NothingHere = ({ channel, filter }: { channel: Channel; filter: Filter }) => (
  <p class="empty">
    {filter.q || filter.status || filter.seen !== undefined ? (
      <>
        No video matches. <a href={channelPath(channel)}>Show all</a>
      </>
    ) : (
      'No videos yet. New videos will appear here.'
    )}
  </p>
)
