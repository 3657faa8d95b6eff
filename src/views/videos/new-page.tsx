/**
 * The page New: the newest videos of all channels or a group by day, with a line where those of the last visit begin; or a list that the
 * person made.
 */
import type { Group, NamedGroup } from '../../schema/channels/group.ts'
import { groupPath, newPath, pathWith, podcastPath, watch_later_path } from '../../schema/http/paths.ts'
import type { LibraryColumn } from '../../schema/search/saved-search.ts'
import { relativeWords } from '../../schema/values/words.ts'
import type { News } from '../../schema/videos/video.ts'
import type { ShownFilter } from '../../schema/videos/video-api.ts'
import { DownloadFold } from '../downloads/download-menu.tsx'
import { movingIds, Polling } from '../downloads/polling.tsx'
import type { PageContext } from '../frames/context.ts'
import { Heading, Layout } from '../frames/layout.tsx'
import { AddChannel } from '../parts/add-channel.tsx'
import { Post } from '../ui/forms.tsx'
import { Older, videos_id } from '../ui/lists.tsx'
import { ItemLink, MoreMenu } from '../ui/menus.tsx'
import { Since } from '../ui/times.tsx'
import { ChoosingBar, choosing_form } from './choosing.tsx'
import { type Above, DayGrid, isNew, lastDayOf } from './day-grid.tsx'
import { listWords } from './mark-buttons.tsx'
import { MonthFold } from './months.tsx'
import { FilterChips, FilterMenu, isLimited, isWhole, unlimitedPath } from './new-filters.tsx'
import { Unfinished } from './unfinished.tsx'
import { VideoGrid } from './video-grid.tsx'

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
  const grid = { id: videos_id, videos: videos.entries, now: page.now, choose_for: select && choosing_form }
  const group: ShownGroup | undefined = [...(column?.groups ?? []), ...groups].find(
    ({ group_id }) => group_id === filter.group,
  )
  return (
    <Layout
      page={page}
      title={group?.name ?? placeName(filter)}
      list={playListOf(filter)}
      scripts={['page/list-keys.js']}
      column={column && { library: column, here: hereOf(filter) }}
    >
      {/* Someone who follows nothing may have added single videos. */}
      {!page.follows_any && is_empty && isWhole(filter) ? (
        <div class="first-steps">
          <Heading title="New" />
          <AddChannel first />
        </div>
      ) : (
        <>
          <header class="news-head">
            <h1>{placeName(filter)}</h1>
            <p class="quiet">
              <WhatIsNew news={news} now={page.now} />
            </p>
            {!select && (
              <div class="news-actions">
                <FilterMenu filter={filter} groups={groups} />
                <ListMenu filter={filter} news={news} now={page.now} />
              </div>
            )}
            <FilterChips filter={filter} groups={groups} />
          </header>
          {!page.follows_any && !filter.later && !filter.dismissed && <AddChannel first />}
          <Unfinished videos={news.unfinished} />
          {select && <ChoosingBar done={pathWith('/', { ...filter, select: undefined })} list={listOf(filter)} />}
          {is_empty ? (
            <Nothing filter={filter} group={group} />
          ) : month ? (
            <VideoGrid {...grid} above={0} />
          ) : (
            <DayGrid
              {...grid}
              time_zone={time_zone}
              new_since={filter.seen === 'true' ? null : new_since}
              above={above ?? {}}
            />
          )}
        </>
      )}
      <Older
        path="/"
        parameters={{ ...filter, ...lastOf(news, page.now, time_zone, above) }}
        cursor={videos.next_cursor}
      />
      <Polling video_ids={movingIds(videos.entries)} />
    </Layout>
  )
}

/** The link of the column that leads here. */
const hereOf = ({ group, later }: ShownFilter) => (later ? watch_later_path : group && newPath(group))

/** Hidden videos are not watched one after another: their list has no name. */
const playListOf = ({ group, later, dismissed }: ShownFilter) =>
  dismissed ? '' : later ? 'later' : group ? `group:${group}` : 'new'

const isUnwatched = ({ seen_at }: { seen_at: Date | null }) => seen_at === null

/** The next page does not repeat the day of this one, and has the line of the last visit if this one did not. */
function lastOf({ videos: { entries }, new_since }: News, now: Date, time_zone: string, above: Above | undefined) {
  const last = entries.at(-1)
  return {
    day: lastDayOf(entries, now, time_zone, above?.day),
    fresh: last && isNew(last, new_since) ? 'yes' : undefined,
  }
}

const listOf = ({ seen, later, dismissed }: ShownFilter) =>
  later ? 'later' : dismissed ? 'dismissed' : seen === 'true' ? 'seen' : undefined

/** Whether the unwatched videos of the list are all that are unwatched. */
const isOfAll = ({ seen, ...filter }: ShownFilter) => seen !== 'true' && isWhole(filter)

type ListMenuProps = { filter: ShownFilter; news: News; now: Date }

/** "⋯" beside the name: what can be done with the list. */
const ListMenu = ({ filter, news: { videos }, now }: ListMenuProps) => (
  <MoreMenu label="More actions" class="list-menu">
    {videos.entries.length > 0 && (
      <ItemLink href={pathWith('/', { ...filter, select: '1' })} data-next-focus="">
        Select
      </ItemLink>
    )}
    <MonthFold path="/" />
    {videos.entries.length > 0 && <DownloadFold of={{}} />}
    {(filter.group ?? filter.later) && (
      <ItemLink href={podcastPath(filter.group ? { group_id: filter.group } : { list: 'later' })}>Podcast</ItemLink>
    )}
    {filter.group && <ItemLink href={groupPath({ group_id: filter.group })}>Edit group</ItemLink>}
    {isOfAll(filter) && videos.entries.some(isUnwatched) && <MarkAll now={now} />}
  </MoreMenu>
)

/** Videos that arrive while this page is open are not marked. */
const MarkAll = ({ now }: { now: Date }) => (
  <Post action="/videos/seen" form_class="act" fields={{ until: now.toISOString() }} kind="quiet">
    Mark all as watched
  </Post>
)

/** Without counts where there is no column. */
type ShownGroup = NamedGroup & Partial<Group>

const placeName = ({ later }: ShownFilter): string => (later ? listWords('later', true) : 'New')

/** "14 new since your last visit, 3 hours ago". Only those of this page are counted. */
function WhatIsNew({ news: { videos, new_since }, now }: { news: News; now: Date }) {
  if (new_since === null) return null
  const count = videos.entries.filter(video => isNew(video, new_since)).length
  const has_more = count === videos.entries.length && videos.next_cursor !== null
  return (
    <>
      {count === 0 ? 'Nothing' : `${count}${has_more ? '+' : ''}`} new{' '}
      <Since at={new_since} now={now}>{`since your last visit, ${relativeWords(new_since, now)}`}</Since>
    </>
  )
}

const Nothing = ({ filter, group }: { filter: ShownFilter; group: ShownGroup | undefined }) =>
  group?.channels === 0 ? (
    <p class="empty">
      This group has no channels yet. <a href={groupPath(group)}>Add channels</a>
    </p>
  ) : (
    <p class="empty">
      {nothingWords(filter)} {isLimited(filter) && <a href={unlimitedPath(filter)}>Show all</a>}
    </p>
  )

function nothingWords({ select, ...filter }: ShownFilter): string {
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
