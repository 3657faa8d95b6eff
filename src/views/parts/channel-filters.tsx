/** The filters of a channel's videos: by download status, by watched, and by words. */
import type { Channel } from '../../schema/channel.ts'
import type { DownloadStatus } from '../../schema/download.ts'
import { type Chip, Chips } from './chips.tsx'
import { SearchAsTyped } from './search-field.tsx'
import { channelPath, numberWords, pathWith } from './words.ts'

export type Filter = { status?: DownloadStatus | undefined; seen?: boolean | undefined; q: string }
export type Counts = Record<DownloadStatus, number>

type Props = { channel: Channel; filter: Filter; counts: Counts }

export const Filters = ({ channel, filter, counts }: Props) => (
  <div class="filters">
    <Chips label="Show" id="kinds" chips={[...statusChips(channel, filter, counts), ...seenChips(channel, filter)]} />
    <SearchAsTyped
      path={channelPath(channel)}
      q={filter.q}
      label={`Search ${channel.title}`}
      placeholder="Search this channel"
      target="history"
      say="kinds"
      also={{ status: filter.status, seen: filter.seen?.toString() }}
    />
  </div>
)

const statusChips = (channel: Channel, { status: shown, seen, q }: Filter, counts: Counts): Chip[] =>
  kinds.map(({ status, label }) => ({
    href: pathWith(channelPath(channel), { status, seen: seen?.toString(), q }),
    label: (
      <>
        {label} <span class="amount">{numberWords(countOf(counts, status))}</span>
      </>
    ),
    is_here: shown === status,
  }))

/** A second click on the chosen one removes the limit. */
const seenChips = (channel: Channel, { status, seen: shown, q }: Filter): Chip[] =>
  [false, true].map(seen => ({
    href: pathWith(channelPath(channel), { status, seen: shown === seen ? undefined : String(seen), q }),
    label: seen ? 'Watched' : 'Unwatched',
    is_here: shown === seen,
    ...(!seen && { class: 'apart' }),
  }))

const countOf = (counts: Counts, status: DownloadStatus | undefined) =>
  status === undefined ? Object.values(counts).reduce((sum, count) => sum + count, 0) : counts[status]

const kinds: { status?: DownloadStatus; label: string }[] = [
  { label: 'All' },
  { status: 'completed', label: 'On disk' },
  { status: 'downloading', label: 'Running' },
  { status: 'pending', label: 'Not downloaded' },
  { status: 'failed', label: 'Failed' },
]
