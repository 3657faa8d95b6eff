/** Which videos of a channel are shown: by where their download stands, and by words. */
import type { Channel } from '../schema/channel.ts'
import type { DownloadStatus } from '../schema/download.ts'
import { channelPath, pathWith } from './words.ts'

export type Filter = { status?: DownloadStatus | undefined; q: string }

export const Filters = ({ channel, filter }: { channel: Channel; filter: Filter }) => (
  <div class="filters">
    <nav aria-label="Show">
      {kinds.map(({ status, label }) => (
        <a
          class="chip"
          href={pathWith(channelPath(channel), { status, q: filter.q })}
          {...(filter.status === status ? { 'aria-current': 'true' } : {})}
        >
          {label}
        </a>
      ))}
    </nav>
    <search class="search">
      <form method="get" action={channelPath(channel)}>
        {filter.status && <input type="hidden" name="status" value={filter.status} />}
        <input
          type="search"
          name="q"
          value={filter.q}
          placeholder="Search here"
          aria-label={`Search ${channel.title}`}
        />
      </form>
    </search>
  </div>
)

const kinds: { status?: DownloadStatus; label: string }[] = [
  { label: 'All' },
  { status: 'completed', label: 'On disk' },
  { status: 'downloading', label: 'Running' },
  { status: 'pending', label: 'Not downloaded' },
  { status: 'failed', label: 'Failed' },
]
