/** How the list of a channel is filtered, ordered and shown: its filters in one row, and the tools beside the actions. */
import type { ListView } from '../../schema/account/account.ts'
import type { Channel } from '../../schema/channels/channel.ts'
import type { DownloadStatus } from '../../schema/downloads/download.ts'
import { numberWords } from '../../schema/values/words.ts'
import type { VideoSort } from '../../schema/videos/video-api.ts'
import { Icon } from '../ui/icon.tsx'
import { type Chip, Chips, SearchAsTyped } from '../ui/lists.tsx'
import { channelPath, pathWith } from '../ui/paths.ts'
import { MonthMenu } from '../videos/months.tsx'

export type Filter = {
  status?: DownloadStatus | undefined
  seen?: boolean | undefined
  q: string
  sort: VideoSort
  month?: string | undefined
}
export type Counts = Record<DownloadStatus, number>

/** The filter as parameters of a link, without those that change nothing. */
export const parametersOf = ({ status, seen, q, sort, month }: Filter) => ({
  status,
  seen: seen?.toString(),
  q: q || undefined,
  sort: sort === 'newest' ? undefined : sort,
  month,
})

type Props = { channel: Channel; filter: Filter; counts: Counts }

export const Filters = ({ channel, filter, counts }: Props) => (
  <div class="filters of-channel">
    <Chips
      label="Show"
      id="kinds"
      chips={[
        allChip(channel, filter, counts),
        ...statusChips(channel, filter, counts),
        ...watchedChips(channel, filter),
      ]}
    />
    <details class="finder" open={filter.q !== ''}>
      <summary class="button quiet" aria-label="Search">
        <Icon name="search" />
      </summary>
      <SearchAsTyped
        path={channelPath(channel)}
        q={filter.q}
        label={`Search ${channel.title}`}
        placeholder="Search this channel"
        target="history"
        say="kinds"
        also={{ ...parametersOf(filter), q: undefined }}
      />
    </details>
  </div>
)

/** Every limit removed. Its count is left out where the counts are those of a limited list. */
const allChip = (channel: Channel, filter: Filter, counts: Counts): Chip => ({
  href: pathWith(channelPath(channel), parametersOf({ ...filter, status: undefined, seen: undefined })),
  label: filter.seen === undefined ? <Counted label="All" count={countOfAll(counts)} /> : 'All',
  is_here: filter.status === undefined && filter.seen === undefined,
})

/** A status without videos is left out, unless it is the chosen one. A second click on that removes the limit. */
const statusChips = (channel: Channel, filter: Filter, counts: Counts): Chip[] =>
  kinds
    .filter(({ status }) => status === filter.status || counts[status] > 0)
    .map(({ status, label }) => ({
      href: pathWith(
        channelPath(channel),
        parametersOf({ ...filter, status: status === filter.status ? undefined : status }),
      ),
      label: <Counted label={label} count={counts[status]} />,
      is_here: filter.status === status,
    }))

/** A second click on the chosen one removes the limit. */
const watchedChips = (channel: Channel, filter: Filter): Chip[] =>
  [false, true].map(seen => ({
    href: pathWith(channelPath(channel), parametersOf({ ...filter, seen: filter.seen === seen ? undefined : seen })),
    label: seen ? 'Watched' : 'Unwatched',
    is_here: filter.seen === seen,
    ...(!seen && { class: 'apart' }),
  }))

const Counted = ({ label, count }: { label: string; count: number }) => (
  <>
    {label} <span class="amount">{numberWords(count)}</span>
  </>
)

const countOfAll = (counts: Counts) => Object.values(counts).reduce((sum, count) => sum + count, 0)

const kinds: { status: DownloadStatus; label: string }[] = [
  { status: 'completed', label: 'On disk' },
  { status: 'downloading', label: 'Running' },
  { status: 'pending', label: 'Not downloaded' },
  { status: 'failed', label: 'Failed' },
]

/** The order, the jump to a month, and list or grid. */
export const ListTools = ({ channel, filter, view }: Omit<Props, 'counts'> & { view: ListView }) => (
  <div class="list-tools">
    <SortMenu channel={channel} filter={filter} />
    <MonthMenu path={channelPath(channel)} month={filter.month} sort={filter.sort} />
    <ViewSwitch channel={channel} filter={filter} view={view} />
  </div>
)

const SortMenu = ({ channel, filter }: Omit<Props, 'counts'>) => (
  <details class="menu">
    <summary class="button quiet">
      {sort_names[filter.sort].split(' ')[0]} <Icon name="chevron" />
    </summary>
    <nav class="panel" aria-label="Sort">
      {sorts.map(sort => (
        <a
          class="item"
          href={pathWith(channelPath(channel), parametersOf({ ...filter, sort }))}
          aria-current={sort === filter.sort ? 'true' : undefined}
        >
          {sort_names[sort]}
        </a>
      ))}
    </nav>
  </details>
)

const sort_names = {
  newest: 'Newest',
  oldest: 'Oldest',
  longest: 'Longest',
  shortest: 'Shortest',
  largest: 'Largest on disk',
} satisfies Record<VideoSort, string>
const sorts = Object.keys(sort_names) as VideoSort[]

/** The choice is stored in a cookie, and holds for every channel. */
const ViewSwitch = ({ channel, filter, view }: Omit<Props, 'counts'> & { view: ListView }) => {
  const other = view === 'list' ? 'grid' : 'list'
  return (
    <a
      class="button quiet"
      href={pathWith(channelPath(channel), { ...parametersOf(filter), view: other })}
      aria-label={`Show as ${other}`}
    >
      <Icon name={other} />
    </a>
  )
}
