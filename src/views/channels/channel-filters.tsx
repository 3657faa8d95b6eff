/** How the list of a channel is filtered, ordered and shown: one menu with all choices, the search, and the choices made, to remove. */
import type { Channel } from '../../schema/channels/channel.ts'
import type { ChannelPageQuery, ListView } from '../../schema/channels/channel-api.ts'
import type { DownloadStatus, StatusCounts } from '../../schema/downloads/download.ts'
import { channelPath, pathWith } from '../../schema/http/paths.ts'
import { countWords, numberWords } from '../../schema/values/words.ts'
import type { VideoSort } from '../../schema/videos/video-api.ts'
import { Icon } from '../ui/icon.tsx'
import { ActiveFilters, SearchAsTyped } from '../ui/lists.tsx'
import { MonthFold, monthName } from '../videos/months.tsx'

export type Filter = Pick<ChannelPageQuery, 'status' | 'seen' | 'q' | 'sort' | 'month'>

/** The filter as parameters of a link, without those that change nothing. */
export const parametersOf = ({ status, seen, q, sort, month }: Filter) => ({
  status,
  seen: seen?.toString(),
  q: q || undefined,
  sort: sort === 'newest' ? undefined : sort,
  month,
})

/** The channel with another filter. */
const pathTo = (channel: Channel, filter: Filter): string => pathWith(channelPath(channel), parametersOf(filter))

type Props = { channel: Channel; filter: Filter; counts: StatusCounts; view: ListView }

export const FilterMenu = (props: Props) => (
  <details class="menu channel-filter">
    <summary class="button quiet">
      <Icon name="filter" />
      Filter
    </summary>
    <nav class="panel" aria-label="Filter" id={menu_id}>
      <Choices {...props} />
    </nav>
  </details>
)

const menu_id = 'filter-choices'

const Choices = (props: Props) => {
  const { channel, filter, view } = props
  return (
    <>
      <Section title="Show" items={[...statusItems(props), ...watchedItems(props)]} />
      <div>
        <Section title="Sort" items={sortItems(props)} />
        <Section title="View" items={views.map(one => viewItem(props, one, view))} />
      </div>
      <MonthFold path={channelPath(channel)} sort={filter.sort} />
    </>
  )
}

type Item = { href: string; label: string; is_here: boolean; count?: number }

const Section = ({ title, items }: { title: string; items: Item[] }) => (
  <section>
    <h2>{title}</h2>
    {items.map(({ href, label, is_here, count }) => (
      <a class="item" href={href} aria-current={is_here ? 'true' : undefined}>
        {label}
        {count !== undefined && <span class="amount">{numberWords(count)}</span>}
        {is_here && <Icon name="check" />}
      </a>
    ))}
  </section>
)

/** A status without videos is left out, unless it is the chosen one. A second press on that removes the limit. */
const statusItems = ({ channel, filter, counts }: Props): Item[] =>
  statuses
    .filter(status => status === filter.status || counts[status] > 0)
    .map(status => ({
      href: pathTo(channel, { ...filter, status: status === filter.status ? undefined : status }),
      label: status_names[status],
      count: counts[status],
      is_here: filter.status === status,
    }))

const status_names: Record<DownloadStatus, string> = {
  completed: 'On disk',
  downloading: 'Running',
  pending: 'Not downloaded',
  failed: 'Failed',
}
const statuses = Object.keys(status_names) as DownloadStatus[]

/** A second press on the chosen one removes the limit. */
const watchedItems = ({ channel, filter }: Props): Item[] =>
  [false, true].map(seen => ({
    href: pathTo(channel, { ...filter, seen: filter.seen === seen ? undefined : seen }),
    label: watchedName(seen),
    is_here: filter.seen === seen,
  }))

const watchedName = (seen: boolean) => (seen ? 'Watched' : 'Unwatched')

const sortItems = ({ channel, filter }: Props): Item[] =>
  sorts.map(sort => ({
    href: pathTo(channel, { ...filter, sort }),
    label: sort_names[sort],
    is_here: sort === filter.sort,
  }))

const sort_names = {
  newest: 'Newest',
  oldest: 'Oldest',
  longest: 'Longest',
  shortest: 'Shortest',
  largest: 'Largest on disk',
} satisfies Record<VideoSort, string>
const sorts = Object.keys(sort_names) as VideoSort[]

/** The choice is stored in a cookie, and holds for every channel. */
const viewItem = ({ channel, filter }: Props, view: ListView, shown: ListView): Item => ({
  href: pathWith(channelPath(channel), { ...parametersOf(filter), view }),
  label: view_names[view],
  is_here: view === shown,
})

const view_names: Record<ListView, string> = { grid: 'Grid', list: 'List' }
const views = Object.keys(view_names) as ListView[]

/** Behind an icon until it is pressed. It also changes what depends on the words: the links of the menu, and the filters below. */
export const Finder = ({ channel, filter }: Pick<Props, 'channel' | 'filter'>) => (
  <details class="finder" open={Boolean(filter.q)}>
    <summary class="button quiet" aria-label="Search">
      <Icon name="search" />
    </summary>
    <SearchAsTyped
      path={channelPath(channel)}
      q={filter.q ?? ''}
      label={`Search ${channel.title}`}
      placeholder="Search this channel"
      target="history"
      say={[menu_id, active_id]}
      also={{ ...parametersOf(filter), q: undefined }}
    />
  </details>
)

/** What was chosen, each to remove, and how many videos fit. */
export const Active = ({ channel, filter, counts }: Omit<Props, 'view'>) => {
  const { status, seen, sort, month, q } = filter
  const without = (changes: Partial<Filter>) => pathTo(channel, { ...filter, ...changes })
  const chips = [
    status && { label: status_names[status], href: without({ status: undefined }) },
    seen !== undefined && { label: watchedName(seen), href: without({ seen: undefined }) },
    sort !== 'newest' && { label: sort_names[sort], href: without({ sort: 'newest' }) },
    month && {
      label: `${is_by_date[sort] ? 'From' : 'Only'} ${monthName(month)}`,
      href: without({ month: undefined }),
    },
  ].filter(chip => typeof chip === 'object')
  const is_counted = month === undefined && (status || seen !== undefined || q)
  return (
    <div class="active" id={active_id}>
      <ActiveFilters filters={chips} />
      <p class="quiet" role="status">
        {is_counted && countWords(status ? counts[status] : countOfAll(counts), 'video')}
      </p>
    </div>
  )
}

const active_id = 'active-filters'
const is_by_date = { newest: true, oldest: true, longest: false, shortest: false, largest: false } as const
const countOfAll = (counts: StatusCounts) => Object.values(counts).reduce((sum, count) => sum + count, 0)
