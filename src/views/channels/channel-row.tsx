/**
 * A channel in the list of channels: its picture, name and newest video, in columns what it has unwatched and on disk, and the switch of
 * its auto-download, which is saved at once.
 */
import type { ListedChannel } from '../../schema/channels/channel.ts'
import { auto_download_path, channelPath } from '../../schema/http/paths.ts'
import { awaitsPicture } from '../../schema/values/picture.ts'
import { bytesWords, numberWords, relativeWords } from '../../schema/values/words.ts'
import { remembered } from '../frames/remembered.ts'
import { Avatar } from '../parts/thumbnails.tsx'
import { nameId, switchId } from '../ui/element-ids.ts'
import { Ago } from '../ui/times.tsx'
import { ChooseChannel } from './choosing-channels.tsx'
import { isInTrouble, Trouble } from './freshness.tsx'

type RowProps = { channel: ListedChannel; now: Date; is_choosing: boolean }

export const ChannelRow = (props: RowProps) =>
  isInTrouble(props.channel) ? <Row {...props} /> : <HealthyRow {...props} />

const Row = ({ channel, now, is_choosing }: RowProps) => {
  const { channel_id, title, followed, failing_since, newest_at, unwatched, on_disk_bytes } = channel
  return (
    <li class={failing_since ? 'row channel failing' : 'row channel'}>
      {is_choosing && <ChooseChannel channel_id={channel_id} />}
      <Avatar channel={channel} />
      <div class="about">
        <p class="title">
          <a href={channelPath(channel)} id={nameId(channel_id)}>
            <bdi>{title}</bdi>
          </a>
        </p>
        <p class="quiet newest">
          <bdi>{newestTitle(channel)}</bdi>
          <Ago words=" · " at={newest_at} now={now} />
        </p>
        {isInTrouble(channel) && (
          <p class="trouble">
            <Trouble channel={channel} now={now} />
          </p>
        )}
      </div>
      <p class="unwatched">
        {unwatched > 0 && (
          <>
            {numberWords(unwatched)}
            <span class="spoken"> unwatched</span>
          </>
        )}
      </p>
      <p class="size">
        {on_disk_bytes > 0 && (
          <>
            {bytesWords(on_disk_bytes)}
            <span class="spoken"> on disk</span>
          </>
        )}
      </p>
      {followed && <AutoDownloadSwitch channel_id={channel_id} is_on={channel.auto_download} />}
    </li>
  )
}

/** Every value that a row without words about trouble depends on. Only the age of the newest video depends on the time. */
const HealthyRow = remembered(Row, ({ channel, now, is_choosing }: RowProps) => [
  channel.channel_id,
  channel.title,
  channel.picture_url,
  awaitsPicture(channel),
  channel.followed,
  channel.failing_since,
  newestTitle(channel),
  channel.newest_at,
  channel.newest_at && relativeWords(channel.newest_at, now),
  channel.unwatched,
  channel.on_disk_bytes,
  channel.auto_download,
  is_choosing,
])

const newestTitle = ({ newest_title, followed, last_fetched_at }: ListedChannel): string =>
  newest_title ?? (followed && !last_fetched_at ? 'Not updated yet' : 'No videos')

/** The id of the words that say what the switches are for. */
export const switches_id = 'switches'

type SwitchProps = { channel_id: string; is_on: boolean }

const AutoDownloadSwitch = ({ channel_id, is_on }: SwitchProps) => (
  <form id={switchId(channel_id)} method="post" action={auto_download_path} hx-post={auto_download_path} hx-swap="none">
    <input type="hidden" name="channel_id" value={channel_id} />
    <input type="hidden" name="on" value={is_on ? 'false' : 'true'} />
    <button
      type="submit"
      class="switch"
      role="switch"
      aria-checked={is_on ? 'true' : 'false'}
      aria-labelledby={`${switches_id} ${nameId(channel_id)}`}
    ></button>
  </form>
)

/** The switches of these channels as they are now. */
export const SwitchPartials = ({ channel_ids, is_on }: { channel_ids: string[]; is_on: boolean }) => (
  <>
    {channel_ids.map(channel_id => (
      <hx-partial hx-target={`#${switchId(channel_id)}`} hx-swap="outerMorph">
        <AutoDownloadSwitch channel_id={channel_id} is_on={is_on} />
      </hx-partial>
    ))}
  </>
)
