/** The actions on all downloads of a shelf, in its menu, and those on selected ones. `page/choosing.js` writes how many are selected. */
import type { Child } from 'hono/jsx'
import type { Sort, Standing } from '../../schema/downloads/download.ts'
import { countWords } from '../../schema/values/words.ts'
import type { Overview } from '../../schema/videos/video-api.ts'
import { Button } from '../ui/forms.tsx'
import { Icon } from '../ui/icon.tsx'
import { pathWith } from '../ui/paths.ts'

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

/** "⋯" of a shelf. */
export const ShelfMenu = ({ standing, overview }: { standing: Standing; overview: Overview }) => {
  const items = menuItems(standing, overview)
  return (
    items && (
      <details class="menu shelf-menu" id={`all-${standing}`}>
        <summary class="button quiet" aria-label="More actions" aria-describedby={`name-${standing}`}>
          <Icon name="more" />
        </summary>
        <div class="panel">{items}</div>
      </details>
    )
  )
}

function menuItems(standing: Standing, { query, tally }: Overview): Child {
  switch (standing) {
    case 'running':
      return null
    case 'done':
      return tally.done > 1 ? (['newest', 'size'] as const).map(sort => <SortItem sort={sort} query={query} />) : null
    case 'waiting':
      return (
        <CancelAll all="waiting" name="Cancel all queued" does="Cancel all" busy="Cancelling…">
          Cancel {countWords(tally.waiting, 'queued download')}? Running ones continue.
        </CancelAll>
      )
    case 'failed':
      return (
        <>
          <form class="act" method="post" action="/downloads/retry">
            <Button kind="quiet" busy="Retrying…">
              Retry all failed
            </Button>
          </form>
          <CancelAll all="failed" name="Dismiss all failed" does="Dismiss all" busy="Dismissing…">
            Remove {countWords(tally.failed, 'failed download')} from this list? You can download{' '}
            {tally.failed === 1 ? 'it' : 'them'} again later.
          </CancelAll>
        </>
      )
  }
}

type CancelAllProps = { all: 'waiting' | 'failed'; name: string; does: string; busy: string; children: Child }

const CancelAll = ({ all, name, does, busy, children }: CancelAllProps) => (
  <details class="ask">
    <summary class="item">{name}</summary>
    <form method="post" action="/downloads/cancel">
      <input type="hidden" name="all" value={all} />
      <p>{children}</p>
      <Button kind="danger" busy={busy}>
        {does}
      </Button>
    </form>
  </details>
)

const SortItem = ({ sort, query }: { sort: Sort; query: Overview['query'] }) => (
  <a
    class="item"
    href={pathWith('/downloads', { show: query.show, sort: sort === 'size' ? sort : null })}
    aria-current={sort === query.sort ? 'true' : undefined}
  >
    {sort === 'newest' ? 'Newest first' : 'Largest first'}
  </a>
)
