/** Which videos of a channel are shown: by where their download stands, and by words. */
import type { Channel } from '../../schema/channel.ts'
import type { DownloadStatus } from '../../schema/download.ts'
import { SearchAsTyped } from './search-field.tsx'
import { channelPath, pathWith } from './words.ts'

export type Filter = { status?: DownloadStatus | undefined; seen?: boolean | undefined; q: string }
export type Counts = Record<DownloadStatus, number>

type Props = { channel: Channel; filter: Filter; counts: Counts }

export const Filters = ({ channel, filter, counts }: Props) => (
  <div class="filters">
    <nav aria-label="Show" id="kinds">
      {kinds.map(({ status, label }) => (
        <a
          class="chip"
          href={pathWith(channelPath(channel), { status, seen: filter.seen?.toString(), q: filter.q })}
          {...(filter.status === status ? { 'aria-current': 'true' } : {})}
        >
          {label} <span class="amount">{countOf(counts, status).toLocaleString('en')}</span>
        </a>
      ))}
      {[false, true].map(seen => (
        <a
          class={seen ? 'chip' : 'chip apart'}
          // Pressed once more, it no longer limits.
          href={pathWith(channelPath(channel), {
            status: filter.status,
            seen: filter.seen === seen ? undefined : String(seen),
            q: filter.q,
          })}
          {...(filter.seen === seen ? { 'aria-current': 'true' } : {})}
        >
          {seen ? 'Seen' : 'Unseen'}
        </a>
      ))}
    </nav>
    <SearchAsTyped
      path={channelPath(channel)}
      q={filter.q}
      label={`Search ${channel.title}`}
      placeholder="Search here"
      target="history"
      say="kinds"
      also={{ status: filter.status, seen: filter.seen?.toString() }}
    />
  </div>
)

const countOf = (counts: Counts, status: DownloadStatus | undefined) =>
  status === undefined ? Object.values(counts).reduce((sum, count) => sum + count, 0) : counts[status]

const kinds: { status?: DownloadStatus; label: string }[] = [
  { label: 'All' },
  { status: 'completed', label: 'On disk' },
  { status: 'downloading', label: 'Running' },
  { status: 'pending', label: 'Not downloaded' },
  { status: 'failed', label: 'Failed' },
]
