/** A list of channels, with its filter and order, and the sentence above it that says how many there are and how many fail. */

import type { Child } from 'hono/jsx'
import type { Channel, ChannelList, ChannelOrder } from '../../schema/channel.ts'
import { awaitsPicture } from '../../schema/picture.ts'
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
    {list[list.of] >= fewest_to_filter && <Choices list={list} />}
    <div id="shown">
      {list.channels.length === 0 ? (
        <p class="empty">
          No channel matches “{list.q}”. <a href={pathWith('/channels', onlyOf(list))}>Show all</a>
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
        parameters={{ ...onlyOf(list), q: list.q, order: list.order === 'title' ? undefined : list.order }}
        cursor={list.next_cursor}
        list="channels"
        label="More channels"
      />
    </div>
  </>
)

/** The part of the address that says which channels are listed. */
const onlyOf = ({ of }: ChannelList) => ({ followed: of === 'unfollowed' ? 'false' : undefined })

/** A shorter list needs no filter. */
const fewest_to_filter = 20

const Choices = ({ list }: { list: ChannelList }) => {
  const { q, order, of } = list
  return (
    <div class="filters">
      <Chips
        label="Sort"
        chips={orders[of].map(({ value, label }) => ({
          href: pathWith('/channels', { ...onlyOf(list), q, order: value === 'title' ? undefined : value }),
          label,
          is_here: order === value,
        }))}
      />
      <SearchAsTyped
        path="/channels"
        q={q}
        label={of === 'followed' ? 'Filter the channels you follow' : 'Filter these channels'}
        placeholder="Filter by name"
        target="shown"
        also={{ ...onlyOf(list), order: order === 'title' ? undefined : order }}
      />
    </div>
  )
}

type Order = { value: ChannelOrder; label: string }
const by_title: Order = { value: 'title', label: 'By name' }
const by_videos: Order = { value: 'videos', label: 'Most videos' }
const orders: Record<ChannelList['of'], Order[]> = {
  followed: [by_title, by_videos, { value: 'failing', label: 'Not updating first' }],
  unfollowed: [by_title, by_videos],
}

const ChannelRow = ({ channel, now }: { channel: Channel; now: Date }) => {
  const { channel_id, title, picture_url, failing_since } = channel
  const is_awaited = awaitsPicture(channel)
  const is_failing = failing_since !== null
  return isInTrouble(channel) ? (
    <Row
      channel={channel}
      is_awaited={is_awaited}
      is_failing={is_failing}
      freshness={<Freshness channel={channel} now={now} />}
    />
  ) : (
    <HealthyRow
      channel_id={channel_id}
      title={title}
      picture_url={picture_url}
      is_awaited={is_awaited}
      is_failing={is_failing}
      {...updateOf(channel, now)}
    />
  )
}

type RowProps = {
  channel: Pick<Channel, 'channel_id' | 'title' | 'picture_url'>
  is_awaited: boolean
  is_failing: boolean
  freshness: Child
}

const Row = ({ channel, is_awaited, is_failing, freshness }: RowProps) => (
  <li class={is_failing ? 'row failing' : 'row'}>
    <Avatar channel={channel} is_awaited={is_awaited} />
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
    is_awaited,
    is_failing,
    entry_count,
    is_followed,
    fetched_at_ms,
    ago,
    ...channel
  }: RowProps['channel'] & ReturnType<typeof updateOf> & Pick<RowProps, 'is_awaited' | 'is_failing'>) => (
    <Row
      channel={channel}
      is_awaited={is_awaited}
      is_failing={is_failing}
      freshness={
        <p class="quiet">
          <Updated {...{ entry_count, is_followed, fetched_at_ms, ago }} />
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
    {followed > 1 && (
      <>
        {' '}
        · <a href="/channels/rules">Auto-download for several</a>
      </>
    )}
  </p>
)

const failingWords = (failing: number) =>
  `${countWords(failing, 'channel')} ${failing === 1 ? 'is' : 'are'} not updating`

/** "Single videos from 4 channels you don't follow": a link; nothing if there are none. */
export const SingleVideos = ({ list: { unfollowed } }: { list: ChannelList }) =>
  unfollowed > 0 ? (
    <p class="quiet">
      <a href="/channels?followed=false">Single videos from {countWords(unfollowed, 'channel')} you don't follow</a>
    </p>
  ) : null
