/** The newest videos of all channels by day, with a line where those of the person's last visit begin. */
import type { NamedGroup } from '../../schema/group.ts'
import type { LibraryColumn } from '../../schema/library-column.ts'
import type { ShownFilter } from '../../schema/new-page.ts'
import type { News } from '../../schema/video.ts'
import { AddChannel } from '../parts/add-channel.tsx'
import { ChoosingBar, choosing_form } from '../parts/choosing.tsx'
import type { PageContext } from '../parts/context.ts'
import { type Above, DayGrid, isNew } from '../parts/day-grid.tsx'
import { dayOf } from '../parts/days.ts'
import { DownloadMenu } from '../parts/download-menu.tsx'
import { Button } from '../parts/forms.tsx'
import { Icon } from '../parts/icon.tsx'
import { KeysDialog } from '../parts/keys.tsx'
import { Layout } from '../parts/layout.tsx'
import { listPlace } from '../parts/library-column.tsx'
import { FromMonth, MonthMenu } from '../parts/months.tsx'
import { FilterMenu, isWhole, NewChips, whole_path } from '../parts/new-filters.tsx'
import { Older, videos_id } from '../parts/older.tsx'
import { movingIds, Polling } from '../parts/polling.tsx'
import { Since } from '../parts/times.tsx'
import { Unfinished } from '../parts/unfinished.tsx'
import { VideoGrid } from '../parts/video-card.tsx'
import { countWords, pathWith, relativeWords } from '../parts/words.ts'

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
  const { select, month, group, later } = filter
  const { videos, new_since } = news
  const is_empty = videos.entries.length === 0
  return (
    <Layout
      page={page}
      title="New"
      script="list-keys.js"
      column={column && { shown: column, here: listPlace({ group, later }) }}
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
            <h1>New</h1>
            <NewChips filter={filter} groups={groups} />
            <div class="news-actions">
              {!select && <FilterMenu filter={filter} />}
              {!select && <MonthMenu path="/" month={month} />}
              {!is_empty && !select && <DownloadMenu of={{}} />}
              {!is_empty && !select && <Select filter={filter} />}
              {!select && isOfAll(filter) && videos.entries.some(isUnwatched) && <MarkAll now={page.now} />}
            </div>
            <p class="quiet">
              <WhatIsNew news={news} now={page.now} />
            </p>
          </header>
          {news.followed === 0 && <AddChannel first />}
          <Unfinished videos={news.unfinished} />
          {month && <FromMonth path="/" month={month} />}
          {is_empty ? (
            <Nothing filter={filter} />
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
      <KeysDialog of="list" />
      <Older path="/" parameters={{ ...filter, ...lastOf(news, time_zone) }} cursor={videos.next_cursor} />
      {select && <ChoosingBar done={pathWith('/', { ...filter, select: undefined })} list={listOf(filter)} />}
      <Polling video_ids={movingIds(videos.entries)} />
    </Layout>
  )
}

const isUnwatched = ({ seen_at }: { seen_at: Date | null }) => seen_at === null

/** The next page does not repeat the day of this one, and has the line of the last visit if this one did not. */
function lastOf({ videos: { entries }, new_since }: News, time_zone: string) {
  const last = entries.at(-1)
  return { day: last && dayOf(last, time_zone), fresh: last && isNew(last, new_since) ? 'yes' : undefined }
}

const listOf = ({ seen, later, dismissed }: ShownFilter) =>
  later ? 'later' : dismissed ? 'dismissed' : seen === 'true' ? 'seen' : undefined

/** Whether the unwatched videos of the list are all that are unwatched. */
const isOfAll = ({ seen, month, ...filter }: ShownFilter) => seen !== 'true' && !month && isWhole(filter)

const Select = ({ filter }: { filter: ShownFilter }) => (
  <a class="button quiet" href={pathWith('/', { ...filter, select: '1' })}>
    <Icon name="list" />
    <span class="say">Select</span>
  </a>
)

/** Videos that arrive while this page is open are not marked. */
const MarkAll = ({ now }: { now: Date }) => (
  <form method="post" action="/videos/seen">
    <input type="hidden" name="until" value={now.toISOString()} />
    <Button kind="quiet">
      <Icon name="check" />
      <span class="say">Mark all as watched</span>
    </Button>
  </form>
)

/** "14 new since your last visit, 3 hours ago". Only those of this page are counted. */
function WhatIsNew({ news: { videos, followed, new_since }, now }: { news: News; now: Date }) {
  if (new_since === null) return <>From {countWords(followed, 'channel')}</>
  const count = videos.entries.filter(video => isNew(video, new_since)).length
  const has_more = count === videos.entries.length && videos.next_cursor !== null
  return (
    <>
      {count === 0 ? 'Nothing' : `${count}${has_more ? '+' : ''}`} new{' '}
      <Since at={new_since} now={now}>{`since your last visit, ${relativeWords(new_since, now)}`}</Since>
    </>
  )
}

const Nothing = ({ filter }: { filter: ShownFilter }) => (
  <p class="empty">
    {nothingWords(filter)}{' '}
    {!isWhole(filter) && <a href={filter.later || filter.dismissed ? '/' : whole_path}>Show all</a>}
  </p>
)

function nothingWords({ month, select, ...filter }: ShownFilter): string {
  const limits = Object.entries(filter).filter(([, limit]) => limit !== undefined)
  const [[field, limit] = []] = limits
  if (limits.length > 1) return 'No video matches.'
  switch (field) {
    case 'later':
      return 'Nothing on Watch later yet. Open the menu of a video to add it.'
    case 'dismissed':
      return 'Nothing is hidden. "Not for me" in the menu of a video hides it from New.'
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
