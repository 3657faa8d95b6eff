/** The downloads of all channels on four shelves, each with a tab: running, queued, failed and on disk. */
import type { Child } from 'hono/jsx'
import type { Standing, Tally } from '../../schema/downloads/download.ts'
import type { Overview } from '../../schema/videos/shelves.ts'
import { ActiveCountPartial } from '../ui/active-count.tsx'
import type { PageContext } from '../ui/context.ts'
import { Layout } from '../ui/layout.tsx'
import { pathWith } from '../ui/paths.ts'
import { RecentlyDeleted } from '../ui/recently-deleted.tsx'
import { bytesWords, numberWords } from '../ui/words.ts'
import { DownloadRows } from './download-rows.tsx'
import { DownloadTabs, shelf_names, standings } from './download-tabs.tsx'
import { movingIds, PolledList, Polling, type Shown, StopPolling } from './polling.tsx'
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

/** What the poll sends along about this page: which part of the shelves it shows, and the counts next to them. */
const shownOf = ({ query, tally }: Overview): Shown => ({ tally: figuresOf(tally), ...query })
export const figuresOf = ({ running, waiting, failed, done }: Tally): string =>
  [running, waiting, failed, done].join('.')

/** "9.4 GB on disk", "9.4 GB of 50 GB on disk". `quota_bytes`: `null` where there is no quota. */
export const onDiskWords = (bytes: number, quota_bytes: number | null): string =>
  `${bytesWords(bytes)}${quota_bytes === null ? '' : ` of ${bytesWords(quota_bytes)}`} on disk`

/** "(3) Downloads": with the number of those that run or wait. */
const titleOf = ({ running, waiting }: Tally): string =>
  running + waiting > 0 ? `(${numberWords(running + waiting)}) Downloads` : 'Downloads'
