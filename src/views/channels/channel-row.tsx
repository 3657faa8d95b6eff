/** A channel in the list of channels: its face, name and newest video, and in columns what it has unwatched and on disk. */
import type { Child } from 'hono/jsx'
import type { ListedChannel } from '../../schema/channels/channel.ts'
import { awaitsPicture } from '../../schema/values/picture.ts'
import { AutoDownloadSwitch } from '../rules/auto-download-switch.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { nameId } from '../ui/cell-ids.ts'
import { channelPath } from '../ui/paths.ts'
import { remembered } from '../ui/remembered.ts'
import { Moment } from '../ui/times.tsx'
import { bytesWords, numberWords, relativeWords } from '../ui/words.ts'
import { ChooseChannel } from './choosing-channels.tsx'
import { isInTrouble, Trouble } from './freshness.tsx'

type ChannelRowProps = { channel: ListedChannel; now: Date; is_choosing: boolean }

export const ChannelRow = ({ channel, now, is_choosing }: ChannelRowProps) =>
  isInTrouble(channel) ? (
    <Row {...shownOf(channel, now)} is_choosing={is_choosing}>
      <p class="trouble">
        <Trouble channel={channel} now={now} />
      </p>
    </Row>
  ) : (
    <HealthyRow {...shownOf(channel, now)} is_choosing={is_choosing} />
  )

/** Plain values, so that a row can be remembered. */
const shownOf = (channel: ListedChannel, now: Date) => ({
  channel_id: channel.channel_id,
  title: channel.title,
  picture_url: channel.picture_url,
  is_awaited: awaitsPicture(channel),
  is_followed: channel.followed,
  is_failing: channel.failing_since !== null,
  newest_title:
    channel.newest_title ?? (channel.followed && !channel.last_fetched_at ? 'Not updated yet' : 'No videos'),
  newest_at_ms: channel.newest_at?.getTime() ?? null,
  ago: channel.newest_at ? relativeWords(channel.newest_at, now) : '',
  unwatched: channel.unwatched,
  on_disk_bytes: channel.on_disk_bytes,
  auto_download: channel.auto_download,
})

type RowProps = ReturnType<typeof shownOf> & { is_choosing: boolean }

/** `children`: what is wrong with the channel. */
const Row = ({ children, is_choosing, ...channel }: RowProps & { children?: Child }) => (
  <li class={channel.is_failing ? 'row channel failing' : 'row channel'}>
    {is_choosing && <ChooseChannel channel_id={channel.channel_id} />}
    <Avatar channel={channel} is_awaited={channel.is_awaited} />
    <div class="about">
      <p class="title">
        <a href={channelPath(channel)} id={nameId(channel.channel_id)}>
          <bdi>{channel.title}</bdi>
        </a>
      </p>
      <p class="quiet newest">
        <bdi>{channel.newest_title}</bdi>
        {channel.newest_at_ms !== null && (
          <>
            {' · '}
            <Moment at_ms={channel.newest_at_ms} words={channel.ago} />
          </>
        )}
      </p>
      {children}
    </div>
    <p class="unwatched">
      {channel.unwatched > 0 && (
        <>
          {numberWords(channel.unwatched)}
          <span class="spoken"> unwatched</span>
        </>
      )}
    </p>
    <p class="size">
      {channel.on_disk_bytes > 0 && (
        <>
          {bytesWords(channel.on_disk_bytes)}
          <span class="spoken"> on disk</span>
        </>
      )}
    </p>
    {channel.is_followed && <AutoDownloadSwitch channel_id={channel.channel_id} is_on={channel.auto_download} />}
  </li>
)

const HealthyRow = remembered((props: RowProps) => <Row {...props} />)
