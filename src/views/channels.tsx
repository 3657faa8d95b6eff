/** The channels somebody follows, and the history of one of them. */
import type { Channel } from '../schema/channel.ts'
import type { Page, Video } from '../schema/video.ts'
import { AddChannel } from './add-channel.tsx'
import { type Filter, Filters } from './channel-filters.tsx'
import { settingsPath } from './channel-settings.tsx'
import type { PageContext } from './context.ts'
import { Button } from './forms.tsx'
import { Freshness } from './freshness.tsx'
import { Layout } from './layout.tsx'
import { movingIds, Polling } from './polling.tsx'
import { canBeRequested, VideoRows } from './video-rows.tsx'
import { Older } from './videos.tsx'
import { channelPath, countWords, initialOf, webUrl } from './words.ts'

type ChannelsProps = {
  page: PageContext
  channels: Channel[]
  values: { url: string }
  /** Sentences by field. */
  errors: Record<string, string>
  error?: string | undefined
}

export const ChannelsPage = ({ page, channels, values, errors, error }: ChannelsProps) => (
  <Layout page={page} title="Channels">
    <header class="heading">
      <h1>Channels</h1>
      <p class="quiet">
        {channels.length > 0 && `You follow ${countWords(channels.length, 'channel')} · `}
        <a href="/import">Import or export</a>
      </p>
    </header>
    <AddChannel first={channels.length === 0} values={values} errors={errors} error={error} />
    {channels.length > 0 && (
      <ul class="rows">
        {channels.map(channel => (
          <li class="row">
            <span class="avatar" aria-hidden="true">
              {initialOf(channel.title)}
            </span>
            <div class="about">
              <h2 class="title">
                <a href={channelPath(channel)}>{channel.title}</a>
              </h2>
              <Freshness channel={channel} now={page.now} />
            </div>
          </li>
        ))}
      </ul>
    )}
  </Layout>
)

type ChannelProps = { page: PageContext; channel: Channel; history: Page<Video>; filter: Filter }

export const ChannelPage = ({ page, channel, history, filter }: ChannelProps) => (
  <Layout page={page} title={channel.title}>
    <header class="heading">
      <h1>{channel.title}</h1>
      <Freshness channel={channel} now={page.now} />
      <ChannelActions channel={channel} />
    </header>
    <Filters channel={channel} filter={filter} />
    {history.entries.length === 0 ? (
      <NothingHere channel={channel} filter={filter} />
    ) : (
      <>
        {history.entries.some(canBeRequested) && <Batch />}
        <VideoRows videos={history.entries} now={page.now} choose_for={batch_form} />
      </>
    )}
    <Older path={channelPath(channel)} parameters={filter} cursor={history.next_cursor} />
    <Polling video_ids={movingIds(history.entries)} />
  </Layout>
)

const ChannelActions = ({ channel }: { channel: Channel }) => {
  const feed = webUrl(channel.rss_url)
  return (
    <div class="actions">
      <form method="post" action={`${channelPath(channel)}/refresh`}>
        <Button busy="Looking…">Refresh</Button>
      </form>
      {feed && (
        <a class="button plain" href={feed} rel="noreferrer">
          Feed
        </a>
      )}
      <a class="button plain" href={settingsPath(channel)}>
        Settings
      </a>
      <details class="menu">
        <summary class="button plain">Stop following</summary>
        <form class="panel" method="post" action={`${channelPath(channel)}/delete`}>
          <p>
            Stop following {channel.title}? {countWords(channel.entry_count, 'video')} and{' '}
            {channel.entry_count === 1 ? 'its file' : 'their files'} go with it.
          </p>
          <Button kind="danger">Stop following</Button>
        </form>
      </details>
    </div>
  )
}

const batch_form = 'batch'

/** The boxes stand beside the videos and belong to this form by its id: forms cannot stand inside one another. */
const Batch = () => (
  <form id={batch_form} class="batch" method="post" action="/downloads">
    {/* Shown by the script that can make it work. */}
    <label class="checkbox" hidden>
      <input type="checkbox" data-choose-all={batch_form} />
      All on this page
    </label>
    <Button>Download selected</Button>
  </form>
)

const NothingHere = ({ channel, filter }: { channel: Channel; filter: Filter }) => (
  <p class="empty">
    {filter.q || filter.status ? (
      <>
        No video here is like that. <a href={channelPath(channel)}>Show all of them</a>
      </>
    ) : (
      'This channel has not published anything yet. New videos show up here by themselves.'
    )}
  </p>
)
