/** Loading the older videos of a channel: the button, how far it is, and how it ended. */
import { isUnfinished, type ShownBackfill } from '../../schema/channels/backfill.ts'
import type { Channel } from '../../schema/channels/channel.ts'
import { Button } from '../ui/forms.tsx'
import { channelPath } from '../ui/paths.ts'
import { Planned } from '../ui/times.tsx'
import { countWords } from '../ui/words.ts'

type Props = { channel: Pick<Channel, 'channel_id'>; backfill: ShownBackfill; now: Date }

const pathOf = (channel: Props['channel']) => `${channelPath(channel)}/backfill`

/** Absent where the status has a button: to cancel it, or to continue. */
export const LoadOlder = ({ channel, backfill }: Omit<Props, 'now'>) =>
  !isUnfinished(backfill) &&
  backfill.state !== 'incomplete' && (
    <form method="post" action={pathOf(channel)}>
      <Button class="item" busy="Loading…">
        Load older videos
      </Button>
    </form>
  )

export const BackfillStatus = (props: Props) => (
  <>
    <Status {...props} />
    <Ticker {...props} />
  </>
)

/** The answer to a poll. It is morphed, so that focus stays. The list of videos does not change while a person reads it. */
export const BackfillChanged = (props: Props) => (
  <>
    <hx-partial hx-target="#backfill" hx-swap="outerMorph">
      <Status {...props} is_polled />
    </hx-partial>
    {!isUnfinished(props.backfill) && (
      <hx-partial hx-target="#backfill-ticker" hx-swap="outerHTML">
        <Ticker {...props} />
      </hx-partial>
    )}
  </>
)

const Ticker = ({ channel, backfill }: Props) =>
  isUnfinished(backfill) ? (
    <div id="backfill-ticker" hx-get={pathOf(channel)} hx-trigger="every 2s" hx-swap="none"></div>
  ) : (
    <div id="backfill-ticker"></div>
  )

/** `is_polled`: the page was loaded before the videos were. */
const Status = ({ is_polled = false, ...props }: Props & { is_polled?: boolean }) => (
  <div id="backfill" class="backfill">
    {isShown(props) && (
      <>
        <p role="status">
          <Words {...props} />
        </p>
        {is_polled && !isUnfinished(props.backfill) && props.backfill.saved > 0 && (
          <a href={channelPath(props.channel)}>Show them</a>
        )}
        <Actions {...props} />
      </>
    )}
  </div>
)

/** How long a finished one is shown, unless there is something left to do. */
const shown_ms = 24 * 3_600_000

function isShown({ backfill: { state, finished_at }, now }: Props): boolean {
  if (state === 'never') return false
  const is_old = finished_at !== null && now.getTime() - finished_at.getTime() > shown_ms
  return state === 'incomplete' || state === 'failed' || !is_old
}

const Words = ({ backfill: { state, found, saved, error, next_attempt_at }, now }: Props) => {
  const loaded = countWords(saved, 'older video')
  switch (state) {
    case 'never':
      return null
    case 'queued':
      return (
        <>
          {found > 0 ? `${foundWords(found)}. ` : error === null && 'Waiting to load older videos.'}
          {error}
          {next_attempt_at && (
            <>
              {' '}
              Next try <Planned at={next_attempt_at} now={now} />.
            </>
          )}
        </>
      )
    case 'running':
      return <>{found > 0 ? foundWords(found) : 'Looking for older videos…'}</>
    case 'done':
      return <>{saved > 0 ? `Loaded ${loaded}.` : 'No older videos found.'}</>
    case 'incomplete':
      return (
        <>
          Incomplete: {error} Loaded {loaded}.
        </>
      )
    case 'failed':
      return <>Could not load older videos. {error}</>
    case 'cancelled':
      return <>Stopped. Loaded {loaded}.</>
  }
}

const foundWords = (found: number) => `${countWords(found, 'older video')} found so far`

const Actions = ({ channel, backfill }: Props) => {
  if (isUnfinished(backfill)) {
    return (
      <form method="post" action={`${pathOf(channel)}/cancel`}>
        <Button busy="Stopping…">Cancel</Button>
      </form>
    )
  }
  if (backfill.state !== 'incomplete') return null
  return (
    <form method="post" action={pathOf(channel)}>
      <Button busy="Loading…">Continue</Button>
    </form>
  )
}
