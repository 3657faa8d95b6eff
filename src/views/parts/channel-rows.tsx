/** The list of followed channels, with its filter, its order and the number of channels that are not updating. */

import type { Child } from 'hono/jsx'
import type { Channel, ChannelList, ChannelOrder } from '../../schema/channel.ts'
import { Avatar } from './avatar.tsx'
import { Chips } from './chips.tsx'
import { Freshness, isInTrouble, Updated, updateOf } from './freshness.tsx'
import { Older } from './older.tsx'
import { remembered } from './remembered.ts'
import { SearchAsTyped } from './search-field.tsx'
import { channelPath, countWords, pathWith } from './words.ts'

type ListProps = { list: ChannelList; now: Date }

export const ChannelRows = ({ list, now }: ListProps) => (
  <>
    {list.followed >= fewest_to_filter && <Choices list={list} />}
    <div id="shown">
      {list.channels.length === 0 ? (
        <p class="empty">
          No channel matches “{list.q}”. <a href="/channels">Show all</a>
        </p>
      ) : (
        <ul class="rows" id="channels">
          {list.channels.map(channel => (
            <ChannelRow channel={channel} now={now} />
          ))}
        </ul>
      )}
      <Older
        path="/channels"
        parameters={{ q: list.q, order: list.order === 'title' ? undefined : list.order }}
        cursor={list.next_cursor}
        list="channels"
        label="More channels"
      />
    </div>
  </>
)

/** A shorter list needs no filter. */
const fewest_to_filter = 20

const Choices = ({ list: { q, order } }: { list: ChannelList }) => (
  <div class="filters">
    <Chips
      label="Sort"
      chips={orders.map(({ value, label }) => ({
        href: pathWith('/channels', { q, order: value === 'title' ? undefined : value }),
        label,
        is_here: order === value,
      }))}
    />
    <SearchAsTyped
      path="/channels"
      q={q}
      label="Filter the channels you follow"
      placeholder="Filter by name"
      target="shown"
      also={{ order: order === 'title' ? undefined : order }}
    />
  </div>
)

const orders: { value: ChannelOrder; label: string }[] = [
  { value: 'title', label: 'By name' },
  { value: 'videos', label: 'Most videos' },
  { value: 'failing', label: 'Not updating first' },
]

const ChannelRow = ({ channel, now }: { channel: Channel; now: Date }) => {
  const { channel_id, title, image_url, failing_since } = channel
  const is_failing = failing_since !== null
  return isInTrouble(channel) ? (
    <Row channel={channel} is_failing={is_failing} freshness={<Freshness channel={channel} now={now} />} />
  ) : (
    <HealthyRow
      channel_id={channel_id}
      title={title}
      image_url={image_url}
      is_failing={is_failing}
      {...updateOf(channel, now)}
    />
  )
}

type RowProps = {
  channel: Pick<Channel, 'channel_id' | 'title' | 'image_url'>
  is_failing: boolean
  freshness: Child
}

const Row = ({ channel, is_failing, freshness }: RowProps) => (
  <li class={is_failing ? 'row failing' : 'row'}>
    <Avatar channel={channel} />
    <div class="about">
      <h2 class="title">
        <a href={channelPath(channel)} dir="auto">
          {channel.title}
        </a>
      </h2>
      {freshness}
    </div>
  </li>
)

const HealthyRow = remembered(
  ({
    is_failing,
    entry_count,
    fetched_at_ms,
    ago,
    ...channel
  }: RowProps['channel'] & ReturnType<typeof updateOf> & Pick<RowProps, 'is_failing'>) => (
    <Row
      channel={channel}
      is_failing={is_failing}
      freshness={
        <p class="quiet">
          <Updated entry_count={entry_count} fetched_at_ms={fetched_at_ms} ago={ago} />
        </p>
      }
    />
  ),
)

/** "You follow 40 channels · 2 channels are not updating · Import or export". */
export const Followed = ({ list: { followed, failing, order } }: { list: ChannelList }) => (
  <p class="quiet">
    {followed > 0 && `You follow ${countWords(followed, 'channel')} · `}
    {failing > 0 && (
      <>
        {order === 'failing' || followed === 1 ? (
          <span class="fault">{failingWords(failing)}</span>
        ) : (
          <a class="fault" href="/channels?order=failing">
            {failingWords(failing)}
          </a>
        )}{' '}
        ·{' '}
      </>
    )}
    <a href="/import">Import or export</a>
  </p>
)

const failingWords = (failing: number) =>
  `${countWords(failing, 'channel')} ${failing === 1 ? 'is' : 'are'} not updating`
