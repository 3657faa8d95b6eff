/** The downloads of all channels on four shelves, each with a tab: running, queued, failed and on disk. */
import type { Child } from 'hono/jsx'
import type { Standing, Tally } from '../../schema/downloads/download.ts'
import { awaitsPicture } from '../../schema/values/picture.ts'
import { bytesWords, numberWords } from '../../schema/values/words.ts'
import type { Video } from '../../schema/videos/video.ts'
import type { Overview } from '../../schema/videos/video-api.ts'
import { ChannelLink, LineFacts, VideoTitle } from '../ui/about-video.tsx'
import type { PageContext } from '../ui/context.ts'
import { RecentlyDeleted } from '../ui/deleting.tsx'
import { rowId } from '../ui/element-ids.ts'
import { Layout } from '../ui/layout.tsx'
import { Chips } from '../ui/lists.tsx'
import { ActiveCountPartial } from '../ui/navigation.tsx'
import { pathWith } from '../ui/paths.ts'
import { Thumbnail, watchedPercent } from '../ui/pictures.tsx'
import { Ago } from '../ui/times.tsx'
import { ChooseDownload } from './acts.tsx'
import { DownloadCell } from './download-cell.tsx'
import { movingIds, type PageFields, PolledList, Polling, StopPolling } from './polling.tsx'
import { ShelfActions, SortChoice, shelfForm } from './shelf-actions.tsx'
import { PauseAll, SiteNotices } from './site-notices.tsx'

export const DownloadsPage = ({ page, overview }: { page: PageContext; overview: Overview }) => (
  <Layout page={page} title={titleOf(overview.tally)}>
    <Shelves overview={overview} now={page.now} />
    <RecentlyDeleted bin_hours={page.bin_hours} />
    <Polling video_ids={moving(overview)} shown={shownOf(overview)} />
  </Layout>
)

/** The answer to a poll when a video has joined, left or changed its shelf: all shelves, to be morphed. */
export const DownloadsMoved = ({ overview, now }: { overview: Overview; now: Date }) => (
  <>
    <hx-partial hx-target="#downloads" hx-swap="outerMorph">
      <Shelves overview={overview} now={now} />
    </hx-partial>
    <hx-partial hx-target="#polled" hx-swap="outerHTML">
      <PolledList video_ids={moving(overview)} shown={shownOf(overview)} />
    </hx-partial>
    <ActiveCountPartial count={overview.tally.running + overview.tally.waiting} />
    {moving(overview).length === 0 && <StopPolling />}
  </>
)

const Shelves = ({ overview, now }: { overview: Overview; now: Date }) => {
  const { query, tally, notices, quota_bytes } = overview
  const nothing = standings.every(standing => tally[standing] === 0)
  return (
    <div id="downloads" data-title={titleOf(tally)}>
      <header class="heading">
        <h1>Downloads</h1>
        {tally.done > 0 && (
          <p class="quiet">
            {onDiskWords(tally.on_disk_bytes, quota_bytes)} · <a href="/space">Disk space</a>
          </p>
        )}
        {tally.running + tally.waiting > 0 && !notices.some(({ host }) => host === '') && <PauseAll />}
      </header>
      {!nothing && <DownloadTabs show={query.show} tally={tally} />}
      <SiteNotices notices={notices} now={now} />
      {nothing ? <Nothing /> : <Shelved overview={overview} now={now} />}
    </div>
  )
}

const Shelved = ({ overview, now }: { overview: Overview; now: Date }) => {
  const { query, shelves } = overview
  if (query.show && shelves[query.show].entries.length === 0) return <p class="empty">{nothing_there[query.show]}</p>
  return (
    <>
      {standings.map(standing => (
        <Shelf standing={standing} overview={overview} now={now} />
      ))}
    </>
  )
}

const nothing_there = {
  running: 'Nothing is downloading right now.',
  waiting: 'Nothing is queued.',
  failed: 'No failed downloads.',
  done: 'No files on disk yet.',
} satisfies Record<Standing, string>

const Nothing = () => (
  <p class="empty">
    No downloads yet. Press Download on any video in <a href="/">New</a>, or select several on the page of a{' '}
    <a href="/channels">channel</a>.
  </p>
)

function Shelf({ standing, overview, now }: { standing: Standing; overview: Overview; now: Date }): Child {
  const { query, shelves, tally } = overview
  const { entries } = shelves[standing]
  if (entries.length === 0) return null
  return (
    <section class="group" id={`shelf-${standing}`} aria-labelledby={`name-${standing}`}>
      <div class="group-head">
        {/* The tab shows the name already. */}
        <h2 id={`name-${standing}`} class={query.show && 'spoken'}>
          {shelf_names[standing]} <span class="count">{numberWords(tally[standing])}</span>
        </h2>
        {standing === 'done' && tally.done > 1 && <SortChoice query={query} />}
        <ShelfActions standing={standing} tally={tally} />
      </div>
      <DownloadRows videos={entries} now={now} choose_for={shelfForm(standing)} />
      <More standing={standing} overview={overview} />
    </section>
  )
}

/** From the beginning of a shelf to the whole shelf, and on it to the next page. */
const More = ({ standing, overview: { query, shelves, tally } }: { standing: Standing; overview: Overview }) => {
  const { next_cursor } = shelves[standing]
  if (!next_cursor) return null
  const sort = query.sort === 'size' ? query.sort : undefined
  return (
    <p class="older">
      <a
        class="button plain"
        rel="next"
        aria-describedby={`name-${standing}`}
        href={pathWith('/downloads', { show: standing, sort, cursor: query.show && next_cursor })}
      >
        {query.show ? 'Show more' : `Show all ${numberWords(tally[standing])}`}
      </a>
    </p>
  )
}

const moving = ({ shelves }: Overview) => movingIds([...shelves.running.entries, ...shelves.waiting.entries])

/** The parameters that the poll sends about this page: which part of the shelves it shows, and the counts next to them. */
const shownOf = ({ query, tally }: Overview): PageFields => ({ tally: figuresOf(tally), ...query })
export const figuresOf = ({ running, waiting, failed, done }: Tally): string =>
  [running, waiting, failed, done].join('.')

/** "9.4 GB on disk", "9.4 GB of 50 GB on disk". `quota_bytes`: `null` where there is no quota. */
export const onDiskWords = (bytes: number, quota_bytes: number | null): string =>
  `${bytesWords(bytes)}${quota_bytes === null ? '' : ` of ${bytesWords(quota_bytes)}`} on disk`

/** "(3) Downloads": with the number of those that run or wait. */
const titleOf = ({ running, waiting }: Tally): string =>
  running + waiting > 0 ? `(${numberWords(running + waiting)}) Downloads` : 'Downloads'

/** The shelves in the order of the page. */
const standings = ['running', 'waiting', 'failed', 'done'] as const satisfies Standing[]

const shelf_names = {
  running: 'Running',
  waiting: 'Queued',
  failed: 'Failed',
  done: 'On disk',
} satisfies Record<Standing, string>

/** The beginning of every shelf, or one shelf, each with its count. */
const DownloadTabs = ({ show, tally }: { show: Standing | undefined; tally: Tally }) => (
  <Chips
    class="tabs"
    label="Downloads by state"
    chips={[
      { href: '/downloads', label: 'All', is_here: show === undefined },
      ...standings.map(standing => ({
        href: pathWith('/downloads', { show: standing }),
        label: <TabName name={shelf_names[standing]} count={tally[standing]} />,
        is_here: show === standing,
      })),
    ]}
  />
)

/** A tab stays when its shelf is empty, so that the others keep their places. */
const TabName = ({ name, count }: { name: string; count: number }) => (
  <>
    {name}
    {count > 0 && <span class="amount"> {numberWords(count)}</span>}
  </>
)

type RowsProps = {
  videos: Video[]
  now: Date
  /** The id of the form that the checkboxes belong to. */
  choose_for: string
}

/** The rows of one shelf, each with a checkbox. */
const DownloadRows = ({ videos, now, choose_for }: RowsProps) => (
  <ul class="rows">
    {videos.map(video => (
      <li class="row" id={rowId(video.video_id)}>
        <ChooseDownload video={video} form={choose_for} />
        <Thumbnail
          video={video}
          is_awaited={awaitsPicture(video)}
          watched_percent={watchedPercent(video)}
          is_seen={video.seen_at !== null}
        />
        <div class="about">
          <VideoTitle video={video} heading="h3" />
          <p class="quiet line">
            <LineFacts video={video} />
            <ChannelLink video={video} />
            <Ended video={video} now={now} />
          </p>
        </div>
        <DownloadCell download={video} now={now} />
      </li>
    ))}
  </ul>
)

/** When the download ended, with a file or without. */
const Ended = ({ video: { download_completed_at: at }, now }: { video: Video; now: Date }) =>
  at && (
    <>
      {' '}
      · <Ago at={at} now={now} />
    </>
  )
