/** The downloads of all channels on four shelves: running, queued, failed and on disk. The end of a shelf leads to all of it. */
import type { Child } from 'hono/jsx'
import type { Standing, Tally } from '../../schema/downloads/download.ts'
import { bytesWords, numberWords } from '../../schema/values/words.ts'
import type { Overview } from '../../schema/videos/video-api.ts'
import type { PageContext } from '../frames/context.ts'
import { Layout } from '../frames/layout.tsx'
import { ActiveCountPartial } from '../frames/navigation.tsx'
import { RecentlyDeleted } from '../parts/deleting.tsx'
import { Planned } from '../ui/times.tsx'
import { DownloadRows, FailedRows } from './download-rows.tsx'
import { movingIds, type PageFields, PolledList, Polling, StopPolling } from './polling.tsx'
import { DownloadsMenu, downloadsPath, SelectedActions, shelfForm } from './shelf-actions.tsx'
import { SiteNotices } from './site-notices.tsx'

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
  const { query, tally, notices, hours_begin_at } = overview
  const nothing = standings.every(standing => tally[standing] === 0)
  return (
    <div id="downloads" data-title={titleOf(tally)}>
      <header class="heading">
        <h1>{query.show ? shelf_names[query.show] : 'Downloads'}</h1>
        <p class="quiet">
          <HeadLine overview={overview} />
        </p>
        {!nothing && (query.select ? <DoneSelecting query={query} /> : <DownloadsMenu overview={overview} />)}
      </header>
      {hours_begin_at && (
        <p class="quiet">
          Downloads start again <Planned at={hours_begin_at} now={now} />. Watch now starts one at once.
        </p>
      )}
      <SiteNotices notices={notices} now={now} />
      {nothing ? <Nothing /> : <Shelved overview={overview} now={now} />}
    </div>
  )
}

/** The way back from one shelf, and what is on disk. */
const HeadLine = ({ overview: { query, tally, quota_bytes } }: { overview: Overview }) => (
  <>
    {query.show && <a href="/downloads">All downloads</a>}
    {query.show && tally.done > 0 && ' · '}
    {tally.done > 0 && onDiskWords(tally.on_disk_bytes, quota_bytes)}
  </>
)

const DoneSelecting = ({ query }: Pick<Overview, 'query'>) => (
  <a class="button quiet" href={downloadsPath({ ...query, select: undefined })} data-next-focus="">
    Done
  </a>
)

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
        {/* The title of the page shows the name already. */}
        <h2 id={`name-${standing}`} class={query.show && 'spoken'}>
          {shelf_names[standing]} <span class="count">{numberWords(tally[standing])}</span>
        </h2>
        {query.select && <SelectedActions standing={standing} />}
      </div>
      {query.select ? (
        <DownloadRows videos={entries} now={now} choose_for={shelfForm(standing)} />
      ) : standing === 'failed' ? (
        <FailedRows videos={entries} now={now} />
      ) : (
        <DownloadRows videos={entries} now={now} />
      )}
      <More standing={standing} overview={overview} />
    </section>
  )
}

/** Leads to the whole shelf, and there to its next page. */
const More = ({ standing, overview: { query, shelves, tally } }: { standing: Standing; overview: Overview }) => {
  const { next_cursor } = shelves[standing]
  if (!next_cursor) return null
  return (
    <p class="older">
      <a
        class="button plain"
        rel={query.show && 'next'}
        aria-describedby={`name-${standing}`}
        href={downloadsPath({ ...query, show: standing, cursor: query.show && next_cursor })}
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
