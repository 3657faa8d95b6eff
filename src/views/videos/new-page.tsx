/**
 * The page New: the newest videos of all channels or a group by day, with a line where those of the last visit begin; or a list that the
 * person made.
 */
import type { Group, NamedGroup } from '../../schema/channels/group.ts'
import type { LibraryColumn } from '../../schema/search/saved-search.ts'
import { countWords, relativeWords } from '../../schema/values/words.ts'
import type { News } from '../../schema/videos/video.ts'
import type { ShownFilter } from '../../schema/videos/video-api.ts'
import { DownloadMenu } from '../downloads/download-menu.tsx'
import { movingIds, Polling } from '../downloads/polling.tsx'
import { AddChannel } from '../ui/add-channel.tsx'
import type { PageContext } from '../ui/context.ts'
import { Button } from '../ui/forms.tsx'
import { Icon } from '../ui/icon.tsx'
import { Layout } from '../ui/layout.tsx'
import { listPlace } from '../ui/library-column.tsx'
import { Older, videos_id } from '../ui/lists.tsx'
import { groupPath, pathWith } from '../ui/paths.ts'
import { Since } from '../ui/times.tsx'
import { ChoosingBar, choosing_form } from './choosing.tsx'
import { type Above, DayGrid, dayOf, isNew } from './day-grid.tsx'
import { listWords } from './marks.tsx'
import { FromMonth, MonthMenu } from './months.tsx'
import { FilterMenu, isLimited, isWhole, NewChips, unlimitedPath } from './new-filters.tsx'
import { Unfinished } from './unfinished.tsx'
import { VideoGrid } from './video-lists.tsx'

type NewPageProps = {
  page: PageContext
  news: News
  filter: ShownFilter
  groups: NamedGroup[]
  time_zone: string
  column?: LibraryColumn | undefined
  /** On a further page: what is above its first video. */
  above?: Above | undefined
}

export const NewPage = ({ page, news, filter, groups, time_zone, column, above }: NewPageProps) => {
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
      scripts={['page/list-keys.js']}
      column={column && { library: column, here: hereOf(filter) }}
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

/** Without counts where there is no column. */
type ShownGroup = NamedGroup & Partial<Group>

type Place = { filter: ShownFilter; group: ShownGroup | undefined }

function placeName({ filter: { later, dismissed }, group }: Place): string {
  if (later) return listWords('later', true)
  if (dismissed) return 'Hidden'
  return group?.name ?? 'New'
}

/** The line below the name. */
function PlaceLine({ filter, group, news, now }: Place & { news: News; now: Date }) {
  if (filter.later || filter.dismissed) return <a href="/">Back to New</a>
  if (!group) return news.new_since ? <WhatIsNew news={news} now={now} /> : <>From {channelsWords(news.followed)}</>
  return (
    <>
      {group.channels !== undefined && `${channelsWords(group.channels)} · `}
      {news.new_since && (
        <>
          <WhatIsNew news={news} now={now} /> ·{' '}
        </>
      )}
      <a href={groupPath(group)}>Edit group</a> · <a href={listPlace({})}>Show all channels</a>
    </>
  )
}

const channelsWords = (count: number) => countWords(count, 'channel')

/** "14 new since your last visit, 3 hours ago". Only those of this page are counted. */
function WhatIsNew({ news: { videos, new_since }, now }: { news: News; now: Date }) {
  const count = videos.entries.filter(video => isNew(video, new_since)).length
  const has_more = count === videos.entries.length && videos.next_cursor !== null
  return (
    <>
      {count === 0 ? 'Nothing' : `${count}${has_more ? '+' : ''}`} new{' '}
      {new_since && <Since at={new_since} now={now}>{`since your last visit, ${relativeWords(new_since, now)}`}</Since>}
    </>
  )
}

const Nothing = ({ filter, group }: Place) =>
  group?.channels === 0 ? (
    <p class="empty">
      This group has no channels yet. <a href={groupPath(group)}>Add channels</a>
    </p>
  ) : (
    <p class="empty">
      {nothingWords(filter)} {isLimited(filter) && <a href={unlimitedPath(filter)}>Show all</a>}
    </p>
  )

function nothingWords({ month, select, group, ...filter }: ShownFilter): string {
  const limits = Object.entries(filter).filter(([, limit]) => limit !== undefined)
  const [[field, limit] = []] = limits
  if (limits.length > 1) return 'No video matches.'
  switch (field) {
    case 'later':
      return 'Nothing here yet. Choose Watch later in the menu of a video to save it for later.'
    case 'dismissed':
      return 'Nothing is hidden. Hide in the menu of a video takes it off New.'
    case 'on_disk':
      return 'Nothing on disk yet. Downloads will appear here.'
    case 'seen':
      return limit === 'true' ? 'Nothing watched yet.' : "You're all caught up. New videos will appear here."
    case undefined:
      return 'No videos yet. New videos will appear here.'
    default:
      return 'No video matches.'
  }
}
