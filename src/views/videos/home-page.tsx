/** The newest videos of all channels or a group by day, with a line where those of the person's last visit begin. */
import type { NamedGroup } from '../../schema/channels/group.ts'
import type { LibraryColumn } from '../../schema/search/library-column.ts'
import type { ShownFilter } from '../../schema/videos/new-page.ts'
import type { News } from '../../schema/videos/video.ts'
import { DownloadMenu } from '../downloads/download-menu.tsx'
import { movingIds, Polling } from '../downloads/polling.tsx'
import { AddChannel } from '../ui/add-channel.tsx'
import type { PageContext } from '../ui/context.ts'
import { Button } from '../ui/forms.tsx'
import { Icon } from '../ui/icon.tsx'
import { Layout } from '../ui/layout.tsx'
import { listPlace } from '../ui/library-column.tsx'
import { Older, videos_id } from '../ui/older.tsx'
import { pathWith } from '../ui/paths.ts'
import { ChoosingBar, choosing_form } from './choosing.tsx'
import { type Above, DayGrid, isNew } from './day-grid.tsx'
import { dayOf } from './days.ts'
import { FromMonth, MonthMenu } from './months.tsx'
import { FilterMenu, isWhole, NewChips } from './new-filters.tsx'
import { Nothing, PlaceLine, placeName, type ShownGroup } from './news-heading.tsx'
import { Unfinished } from './unfinished.tsx'
import { VideoGrid } from './video-card.tsx'

type HomeProps = {
  page: PageContext
  news: News
  filter: ShownFilter
  groups: NamedGroup[]
  time_zone: string
  column?: LibraryColumn | undefined
  /** Given for a further page, which continues a list. */
  above?: Above | undefined
}

export const HomePage = ({ page, news, filter, groups, time_zone, column, above }: HomeProps) => {
  const { select, month } = filter
  const { videos, new_since } = news
  const is_empty = videos.entries.length === 0
  const group: ShownGroup | undefined = [...(column?.groups ?? []), ...groups].find(
    ({ group_id }) => group_id === filter.group,
  )
  const place = { filter, group }
  return (
    <Layout
      page={page}
      title={placeName(place)}
      list={playListOf(filter)}
      scripts={['list-keys.js']}
      column={column && { shown: column, here: hereOf(filter) }}
    >
      {/* Someone who follows nothing may have added single videos. */}
      {news.followed === 0 && is_empty && isWhole(filter) ? (
        <>
          <header class="heading">
            <h1>New</h1>
          </header>
          <AddChannel first />
        </>
      ) : (
        <>
          <header class="news-head">
            <h1>
              <bdi>{placeName(place)}</bdi>
            </h1>
            <NewChips filter={filter} groups={groups} searches={column?.searches ?? []} />
            <div class="news-actions">
              {!select && <FilterMenu filter={filter} />}
              {!select && <MonthMenu path="/" month={month} />}
              {!is_empty && !select && <DownloadMenu of={{}} />}
              {!is_empty && !select && <Select filter={filter} />}
              {!select && isOfAll(filter) && videos.entries.some(isUnwatched) && <MarkAll now={page.now} />}
            </div>
            <p class="quiet">
              <PlaceLine {...place} news={news} now={page.now} />
            </p>
          </header>
          {news.followed === 0 && <AddChannel first />}
          <Unfinished videos={news.unfinished} />
          {month && <FromMonth path="/" month={month} />}
          {select && <ChoosingBar done={pathWith('/', { ...filter, select: undefined })} list={listOf(filter)} />}
          {is_empty ? (
            <Nothing {...place} />
          ) : month ? (
            <VideoGrid
              id={videos_id}
              videos={videos.entries}
              now={page.now}
              above={0}
              choose_for={select && choosing_form}
            />
          ) : (
            <DayGrid
              id={videos_id}
              videos={videos.entries}
              now={page.now}
              time_zone={time_zone}
              new_since={filter.seen === 'true' ? null : new_since}
              above={above ?? {}}
              choose_for={select && choosing_form}
            />
          )}
        </>
      )}
      <Older path="/" parameters={{ ...filter, ...lastOf(news, page.now, time_zone) }} cursor={videos.next_cursor} />
      <Polling video_ids={movingIds(videos.entries)} />
    </Layout>
  )
}

/** The link of the column that leads here. Hidden videos have none. */
const hereOf = ({ group, later, dismissed }: ShownFilter) =>
  dismissed ? undefined : listPlace(later ? { later } : { group })

/** Hidden videos are not watched one after another. */
const playListOf = ({ group, later, dismissed }: ShownFilter) =>
  dismissed ? undefined : later ? 'later' : group ? `group:${group}` : 'new'

const isUnwatched = ({ seen_at }: { seen_at: Date | null }) => seen_at === null

/** The next page does not repeat the day of this one, and has the line of the last visit if this one did not. */
function lastOf({ videos: { entries }, new_since }: News, now: Date, time_zone: string) {
  const last = entries.at(-1)
  return { day: last && dayOf(last, now, time_zone), fresh: last && isNew(last, new_since) ? 'yes' : undefined }
}

const listOf = ({ seen, later, dismissed }: ShownFilter) =>
  later ? 'later' : dismissed ? 'dismissed' : seen === 'true' ? 'seen' : undefined

/** Whether the unwatched videos of the list are all that are unwatched. */
const isOfAll = ({ seen, month, ...filter }: ShownFilter) => seen !== 'true' && !month && isWhole(filter)

const Select = ({ filter }: { filter: ShownFilter }) => (
  <a class="button quiet" href={pathWith('/', { ...filter, select: '1' })} data-next-focus="">
    <Icon name="list" />
    <span class="say">Select</span>
  </a>
)

/** Videos that arrive while this page is open are not marked. */
const MarkAll = ({ now }: { now: Date }) => (
  <form method="post" action="/videos/seen">
    <input type="hidden" name="until" value={now.toISOString()} />
    <Button kind="quiet">
      <Icon name="eye" />
      <span class="say">Mark all as watched</span>
    </Button>
  </form>
)
