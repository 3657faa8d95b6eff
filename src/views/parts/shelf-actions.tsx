/** What can be done to several downloads of a shelf, or to all of them. */
import type { Child } from 'hono/jsx'
import type { Sort, Standing, Tally } from '../../schema/download.ts'
import { Chips } from './chips.tsx'
import { Button } from './forms.tsx'
import { countWords, pathWith } from './words.ts'

/** The boxes stand in the rows and belong to this form by its id. */
export const shelfForm = (standing: Standing): string => `choose-${standing}`

export const ShelfActions = ({ standing, tally }: { standing: Standing; tally: Tally }) => (
  <div class="shelf-actions">
    <form id={shelfForm(standing)} method="post" action={actions[standing]}>
      <input type="hidden" name="chosen" value="on" />
      <label class="checkbox scripted">
        <input type="checkbox" data-choose-all={shelfForm(standing)} aria-describedby={`name-${standing}`} />
        All shown
      </label>
      <WithChosen standing={standing} />
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
      return <Button busy="Cancelling…">Cancel selected</Button>
    case 'failed':
      return (
        <>
          <Button busy="Asking again…">Try selected again</Button>
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
        <LetGo all="waiting" name="Cancel everything that waits" does="Cancel all">
          {countWords(tally.waiting, 'download leaves', 'downloads leave')} the line. What runs goes on. You can ask for
          each of them again.
        </LetGo>
      )
    case 'failed':
      return (
        <>
          <form method="post" action="/downloads/retry">
            <Button busy="Asking again…">Try all failed again</Button>
          </form>
          <LetGo all="failed" name="Clear failed" does="Dismiss all">
            {countWords(tally.failed, 'failure is', 'failures are')} forgotten. The videos stay in your history, and can
            be asked for again.
          </LetGo>
        </>
      )
  }
}

type LetGoProps = { all: 'waiting' | 'failed'; name: string; does: string; children: Child }

const LetGo = ({ all, name, does, children }: LetGoProps) => (
  <details class="menu" id={`all-${all}`}>
    <summary class="button plain">{name}</summary>
    <form class="panel" method="post" action="/downloads/cancel">
      <input type="hidden" name="all" value={all} />
      <p>{children}</p>
      <Button kind="danger" busy="One moment…">
        {does}
      </Button>
    </form>
  </details>
)

export const SortChoice = ({ asked }: { asked: { show?: Standing | undefined; sort: Sort } }) => (
  <Chips
    class="sorts"
    label="Order"
    chips={(['newest', 'size'] as const).map(sort => ({
      href: pathWith('/downloads', { show: asked.show, sort: sort === 'size' ? sort : null }),
      label: sort === 'newest' ? 'Newest' : 'Largest',
      is_here: sort === asked.sort,
    }))}
  />
)
