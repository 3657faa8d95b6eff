/** The menu of the downloads page, and the actions on selected downloads. `page/choosing.js` writes how many are selected. */
import type { Child } from 'hono/jsx'
import type { Sort, Standing } from '../../schema/downloads/download.ts'
import { pathWith, podcastPath } from '../../schema/http/paths.ts'
import { countWords } from '../../schema/values/words.ts'
import type { Overview } from '../../schema/videos/video-api.ts'
import { Button, Post } from '../ui/forms.tsx'
import { Ask, ItemLink, MoreMenu } from '../ui/menus.tsx'

/** The id of the form that the checkboxes in the rows belong to. */
export const shelfForm = (standing: Standing): string => `choose-${standing}`

export const SelectedActions = ({ standing }: { standing: Standing }) => (
  <form id={shelfForm(standing)} class="shelf-actions" method="post" action={actions[standing]}>
    <input type="hidden" name="chosen" value="on" />
    <label class="checkbox scripted">
      <input type="checkbox" data-choose-all={shelfForm(standing)} aria-describedby={`name-${standing}`} />
      Select all
    </label>
    <WithChosen standing={standing} />
    <span class="count" data-count-chosen={shelfForm(standing)}></span>
  </form>
)

const actions = {
  running: '/downloads/cancel',
  waiting: '/downloads/cancel',
  failed: '/downloads/retry',
  done: '/downloads/remove',
} satisfies Record<Standing, string>

function WithChosen({ standing }: { standing: Standing }): Child {
  switch (standing) {
    case 'running':
    case 'waiting':
      return (
        <>
          <Button busy="Cancelling…">Cancel selected</Button>
          <Button formaction="/downloads/pause" busy="Pausing…">
            Pause selected
          </Button>
        </>
      )
    case 'failed':
      return (
        <>
          <Button busy="Retrying…">Retry selected</Button>
          <Button formaction="/downloads/cancel" busy="Dismissing…">
            Dismiss selected
          </Button>
        </>
      )
    case 'done':
      return <Button>Delete selected files</Button>
  }
}

/** "⋯" of the page: what acts on all downloads, or on all of the shelves that are shown. */
export const DownloadsMenu = ({ overview }: { overview: Overview }) => {
  const { query, shelves, tally, notices } = overview
  const has_paused_all = notices.some(({ host }) => host === '')
  return (
    <MoreMenu label="Actions for your downloads" id="downloads-menu">
      {tally.running + tally.waiting > 0 && !has_paused_all && <PauseAll />}
      <ItemLink href={downloadsPath({ ...query, select: '1' })} data-next-focus="">
        Select
      </ItemLink>
      {shelves.waiting.entries.length > 0 && <CancelQueued count={tally.waiting} />}
      {shelves.failed.entries.length > 0 && <WithFailed count={tally.failed} />}
      {shelves.done.entries.length > 1 &&
        (['newest', 'size'] as const).map(sort => <SortItem sort={sort} query={query} />)}
      {shelves.done.entries.length > 0 && <ItemLink href={podcastPath({ list: 'all' })}>Podcast</ItemLink>}
      <ItemLink href="/space">Disk space</ItemLink>
    </MoreMenu>
  )
}

const PauseAll = () => (
  <Post action="/downloads/pause" form_class="act" fields={{ all: 'true' }} kind="quiet">
    Pause all
  </Post>
)

const CancelQueued = ({ count }: { count: number }) => (
  <CancelAll all="waiting" name="Cancel all queued" does="Cancel all" busy="Cancelling…">
    Cancel {countWords(count, 'queued download')}? Running ones continue.
  </CancelAll>
)

const WithFailed = ({ count }: { count: number }) => (
  <>
    <Post action="/downloads/retry" form_class="act" kind="quiet" busy="Retrying…">
      Retry all failed
    </Post>
    <CancelAll all="failed" name="Dismiss all failed" does="Dismiss all" busy="Dismissing…">
      Remove {countWords(count, 'failed download')} from this list? You can download {count === 1 ? 'it' : 'them'} again
      later.
    </CancelAll>
  </>
)

type CancelAllProps = { all: 'waiting' | 'failed'; name: string; does: string; busy: string; children: Child }

const CancelAll = ({ all, name, does, busy, children }: CancelAllProps) => (
  <Ask label={name} action="/downloads/cancel" class="item" fields={{ all }} does={does} busy={busy}>
    {children}
  </Ask>
)

const SortItem = ({ sort, query }: { sort: Sort; query: Overview['query'] }) => (
  <ItemLink
    href={downloadsPath({ ...query, sort, cursor: undefined })}
    aria-current={sort === query.sort ? 'true' : undefined}
  >
    {sort === 'newest' ? 'Newest first' : 'Largest first'}
  </ItemLink>
)

/** The page of downloads with these parameters. Its usual order is not one of them. */
export const downloadsPath = ({ show, sort, select, cursor }: Overview['query']): string =>
  pathWith('/downloads', { show, sort: sort === 'size' ? sort : undefined, select, cursor })
