/** The downloads of all channels on four shelves: running, queued, failed and on disk. */
import type { Child } from 'hono/jsx'
import type { Standing, Tally } from '../../schema/download.ts'
import type { Overview } from '../../schema/shelves.ts'
import type { PageContext } from '../parts/context.ts'
import { DownloadRows } from '../parts/download-rows.tsx'
import { Layout } from '../parts/layout.tsx'
import { movingIds, PolledList, Polling, type Shown, StopPolling } from '../parts/polling.tsx'
import { RecentlyDeleted } from '../parts/recently-deleted.tsx'
import { ShelfActions, SortChoice, shelfForm } from '../parts/shelf-actions.tsx'
import { bytesWords, numberWords, pathWith } from '../parts/words.ts'

export const DownloadsPage = ({ page, overview }: { page: PageContext; overview: Overview }) => (
  <Layout page={page} title="Downloads">
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
    {moving(overview).length === 0 && <StopPolling />}
  </>
)

function Shelves({ overview, now }: { overview: Overview; now: Date }) {
  const { query, tally } = overview
  const nothing = standings.every(standing => tally[standing] === 0)
  return (
    <div id="downloads">
      <header class="heading">
        <h1>{query.show ? shelf_names[query.show] : 'Downloads'}</h1>
        {!nothing && (
          <p class="quiet">
            {summary(overview)}
            {query.show && ' · '}
            {query.show && <a href="/downloads">All downloads</a>}
          </p>
        )}
      </header>
      {nothing ? <Nothing /> : <Shelved overview={overview} now={now} />}
    </div>
  )
}

const Shelved = ({ overview, now }: { overview: Overview; now: Date }) => {
  const { query, shelves } = overview
  const empty = query.show && shelves[query.show].entries.length === 0
  return (
    <>
      {standings.map(standing => (
        <Shelf standing={standing} overview={overview} now={now} />
      ))}
      {empty && (
        <p class="empty">
          Nothing here. <a href="/downloads">Show all downloads</a>
        </p>
      )}
    </>
  )
}

const Nothing = () => (
  <p class="empty">
    No downloads yet. Press Download on any video in <a href="/">New</a>, or select several on the page of a{' '}
    <a href="/channels">channel</a>.
  </p>
)

function Shelf({ standing, overview, now }: { standing: Standing; overview: Overview; now: Date }): Child {
  const { query, shelves, tally } = overview
  const { entries, next_cursor } = shelves[standing]
  if (entries.length === 0) return null
  return (
    <section class="group" id={`shelf-${standing}`} aria-labelledby={`name-${standing}`}>
      <div class="group-head">
        <h2 id={`name-${standing}`}>
          {shelf_names[standing]} <span class="count">{numberWords(tally[standing])}</span>
        </h2>
        {standing === 'done' && tally.done > 1 && <SortChoice query={query} />}
        <ShelfActions standing={standing} tally={tally} />
      </div>
      <DownloadRows videos={entries} now={now} choose_for={shelfForm(standing)} />
      {next_cursor && (
        <p class="older">
          <a
            class="button plain"
            rel="next"
            aria-describedby={`name-${standing}`}
            href={pathWith('/downloads', { ...place(query, standing), cursor: next_cursor })}
          >
            Show more
          </a>
        </p>
      )}
    </section>
  )
}

const standings = ['running', 'waiting', 'failed', 'done'] as const satisfies Standing[]
const shelf_names = { running: 'Running', waiting: 'Queued', failed: 'Failed', done: 'On disk' } satisfies Record<
  Standing,
  string
>

const place = ({ sort }: Overview['query'], show: Standing) => ({ show, sort: sort === 'size' ? sort : undefined })

const moving = ({ shelves }: Overview) => movingIds([...shelves.running.entries, ...shelves.waiting.entries])

/** What the poll sends along about this page: which part of the shelves it shows, and the counts next to them. */
const shownOf = ({ query, tally }: Overview): Shown => ({ tally: figuresOf(tally), ...query })
export const figuresOf = ({ running, waiting, failed, done }: Tally): string =>
  [running, waiting, failed, done].join('.')

/** "1 running · 2 queued · 1 failed · 38 on disk, 9.4 GB of 50 GB", without the counts that are zero. */
export function summary({ tally, quota_bytes }: Pick<Overview, 'tally' | 'quota_bytes'>): string {
  const { running, waiting, failed, done, on_disk_bytes } = tally
  const quota = quota_bytes === null ? '' : ` of ${bytesWords(quota_bytes)}`
  return [
    running > 0 && `${running} running`,
    waiting > 0 && `${numberWords(waiting)} queued`,
    failed > 0 && `${numberWords(failed)} failed`,
    done > 0 && `${numberWords(done)} on disk, ${bytesWords(on_disk_bytes)}${quota}`,
  ]
    .filter(Boolean)
    .join(' · ')
}
