/** The actions on several selected downloads of a shelf, or on all of them. `page/choosing.js` writes how many are selected. */
import type { Child } from 'hono/jsx'
import type { Sort, Standing, Tally } from '../../schema/downloads/download.ts'
import { countWords } from '../../schema/values/words.ts'
import { Button } from '../ui/forms.tsx'
import { Chips } from '../ui/lists.tsx'
import { pathWith } from '../ui/paths.ts'

/** The id of the form that the checkboxes in the rows belong to. */
export const shelfForm = (standing: Standing): string => `choose-${standing}`

export const ShelfActions = ({ standing, tally }: { standing: Standing; tally: Tally }) => (
  <div class="shelf-actions">
    <form id={shelfForm(standing)} method="post" action={actions[standing]}>
      <input type="hidden" name="chosen" value="on" />
      <label class="checkbox scripted">
        <input type="checkbox" data-choose-all={shelfForm(standing)} aria-describedby={`name-${standing}`} />
        Select all
      </label>
      <WithChosen standing={standing} />
      <span class="count" data-count-chosen={shelfForm(standing)}></span>
    </form>
    <WithAll standing={standing} tally={tally} />
  </div>
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

function WithAll({ standing, tally }: { standing: Standing; tally: Tally }): Child {
  switch (standing) {
    case 'running':
    case 'done':
      return null
    case 'waiting':
      return (
        <CancelAll all="waiting" name="Cancel all queued" does="Cancel all" busy="Cancelling…">
          Cancel {countWords(tally.waiting, 'queued download')}? Running ones continue.
        </CancelAll>
      )
    case 'failed':
      return (
        <>
          <form method="post" action="/downloads/retry">
            <Button busy="Retrying…">Retry all failed</Button>
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
  <details class="menu" id={`all-${all}`}>
    <summary class="button plain">{name}</summary>
    <form class="panel" method="post" action="/downloads/cancel">
      <input type="hidden" name="all" value={all} />
      <p>{children}</p>
      <Button kind="danger" busy={busy}>
        {does}
      </Button>
    </form>
  </details>
)

export const SortChoice = ({ query }: { query: { show?: Standing | undefined; sort: Sort } }) => (
  <Chips
    class="sorts"
    label="Sort"
    chips={(['newest', 'size'] as const).map(sort => ({
      href: pathWith('/downloads', { show: query.show, sort: sort === 'size' ? sort : null }),
      label: sort === 'newest' ? 'Newest' : 'Largest',
      is_here: sort === query.sort,
    }))}
  />
)
