/** One channel: its facts, its actions, and the history of its videos. */
import type { ShownBackfill } from '../../schema/backfill.ts'
import type { Channel } from '../../schema/channel.ts'
import type { ListedVideo, Page } from '../../schema/video.ts'
import { Avatar } from '../parts/avatar.tsx'
import { BackfillStatus, LoadOlder } from '../parts/backfill.tsx'
import { Batch, batch_form, ChooseAll } from '../parts/batch.tsx'
import { type Counts, type Filter, Filters } from '../parts/channel-filters.tsx'
import type { PageContext } from '../parts/context.ts'
import { Button } from '../parts/forms.tsx'
import { Freshness } from '../parts/freshness.tsx'
import { Layout } from '../parts/layout.tsx'
import { Older, videos_id } from '../parts/older.tsx'
import { movingIds, Polling } from '../parts/polling.tsx'
import { VideoRows } from '../parts/video-rows.tsx'
import { channelPath, countWords, webUrl } from '../parts/words.ts'
import { settingsPath } from './channel-settings.tsx'

type ChannelProps = {
  page: PageContext
  channel: Channel
  backfill: ShownBackfill
  history: Page<ListedVideo>
  filter: Filter
  /** The number of videos in each status. */
  counts: Counts
}

export const ChannelPage = ({ page, channel, backfill, history, filter, counts }: ChannelProps) => (
  <Layout page={page} title={channel.title}>
    <header class="heading of-channel">
      <Avatar channel={channel} large />
      <h1>
        <bdi>{channel.title}</bdi>
      </h1>
      <Freshness channel={channel} now={page.now} with_next />
      <ChannelActions page={page} channel={channel} backfill={backfill} counts={counts} filter={filter} />
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

type ActionsProps = Pick<ChannelProps, 'page' | 'channel' | 'backfill' | 'filter' | 'counts'>

const ChannelActions = ({ page, channel, backfill, filter, counts }: ActionsProps) => {
  const feed = webUrl(channel.rss_url)
  // The counts follow the filter, so they say nothing about all files of the channel.
  const files = filter.q || filter.seen !== undefined ? undefined : counts.completed
  return (
    <div class="actions">
      <form method="post" action={`${channelPath(channel)}/refresh`}>
        <Button busy="Checking…">Refresh</Button>
      </form>
      {channel.followed && <LoadOlder channel={channel} backfill={backfill} />}
      {feed && (
        <a class="button plain" href={feed} rel="noreferrer">
          Feed
        </a>
      )}
      <form method="post" action="/videos/seen">
        <input type="hidden" name="until" value={page.now.toISOString()} />
        <input type="hidden" name="channel_id" value={channel.channel_id} />
        <Button busy="Marking…">Mark all as watched</Button>
      </form>
      <a class="button plain" href={settingsPath(channel)}>
        Settings
      </a>
      <details class="menu">
        <summary class="button plain">Unfollow</summary>
        <form class="panel" method="post" action={`${channelPath(channel)}/delete`}>
          <p>{unfollowWords(channel, files)}</p>
          <Button kind="danger" busy="Unfollowing…">
            Unfollow
          </Button>
        </form>
      </details>
    </div>
  )
}

/** `files`: how many are on disk; undefined when that is not known. */
function unfollowWords({ title, entry_count }: Channel, files: number | undefined): string {
  const deletes =
    files === undefined ? ' and deletes their files' : files > 0 ? ` and deletes ${countWords(files, 'file')}` : ''
  return `Unfollow ${title}? This removes ${countWords(entry_count, 'video')} from your list${deletes}.`
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
