/** A channel in the list of channels: its face, name and newest video, and in columns what it has unwatched and on disk. */
import type { ListedChannel } from '../../schema/channels/channel.ts'
import { awaitsPicture } from '../../schema/values/picture.ts'
import { bytesWords, numberWords } from '../../schema/values/words.ts'
import { AutoDownloadSwitch } from '../rules/auto-download-switch.tsx'
import { nameId } from '../ui/element-ids.ts'
import { channelPath } from '../ui/paths.ts'
import { Avatar } from '../ui/pictures.tsx'
import { Ago } from '../ui/times.tsx'
import { ChooseChannel } from './choosing-channels.tsx'
import { isInTrouble, Trouble } from './freshness.tsx'

type RowProps = { channel: ListedChannel; now: Date; is_choosing: boolean }

export const ChannelRow = ({ channel, now, is_choosing }: RowProps) => {
  const { channel_id, title, followed, failing_since, newest_at, unwatched, on_disk_bytes } = channel
  return (
    <li class={failing_since ? 'row channel failing' : 'row channel'}>
      {is_choosing && <ChooseChannel channel_id={channel_id} />}
      <Avatar channel={channel} is_awaited={awaitsPicture(channel)} />
      <div class="about">
        <p class="title">
          <a href={channelPath(channel)} id={nameId(channel_id)}>
            <bdi>{title}</bdi>
          </a>
        </p>
        <p class="quiet newest">
          <bdi>{newestWords(channel)}</bdi>
          {newest_at && (
            <>
              {' · '}
              <Ago at={newest_at} now={now} />
            </>
          )}
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

const newestWords = ({ newest_title, followed, last_fetched_at }: ListedChannel): string =>
  newest_title ?? (followed && !last_fetched_at ? 'Not updated yet' : 'No videos')
