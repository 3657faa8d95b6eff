/** How up to date a channel is: when its feed was fetched, why it fails, and how far loading its older videos is. */
import { type Channel, isUnfinished, type ShownBackfill } from '../../schema/channels/channel.ts'
import { countWords } from '../../schema/values/words.ts'
import { Button } from '../ui/forms.tsx'
import { channelPath } from '../ui/paths.ts'
import { Ago, Planned, Since } from '../ui/times.tsx'

type FreshnessProps = { channel: Channel; now: Date }

/** `with_next`: also says when the feed is fetched next, although nothing is wrong. */
export const Freshness = ({ channel, now, with_next = false }: FreshnessProps & { with_next?: boolean }) => (
  <p class="quiet">
    <Updated channel={channel} now={now} />
    {with_next && <NextCheck channel={channel} now={now} />}
    {isInTrouble(channel) && '. '}
    <Trouble channel={channel} now={now} />
  </p>
)

const Updated = ({ channel: { entry_count, followed, last_fetched_at }, now }: FreshnessProps) => (
  <>
    {countWords(entry_count, 'video')} ·{' '}
    {!followed ? (
      'Not followed'
    ) : last_fetched_at === null ? (
      'Not updated yet'
    ) : (
      <>
        Updated <Ago at={last_fetched_at} now={now} />
      </>
    )}
  </>
)

export const isInTrouble = ({ fetch_error, feed_warning }: Channel): boolean => Boolean(fetch_error || feed_warning)

const NextCheck = ({ channel: { next_fetch_at, fetch_error }, now }: FreshnessProps) =>
  next_fetch_at && !fetch_error ? (
    <span class="next-check">
      , next check <Planned at={next_fetch_at} now={now} />
    </span>
  ) : null

/** Says what is wrong, if anything. */
export const Trouble = ({ channel, now }: FreshnessProps) => {
  if (channel.fetch_error) return <Failing channel={channel} now={now} />
  return channel.feed_warning ? <span class="fault">{channel.feed_warning}</span> : null
}

const Failing = ({ channel, now }: FreshnessProps) =>
  channel.failing_since && channel.listed_at ? (
    <>
      The feed has failed <Since at={channel.failing_since} now={now} />. New videos come from the channel’s page
      meanwhile.
    </>
  ) : (
    <NotUpdating channel={channel} now={now} />
  )

const NotUpdating = ({ channel: { failing_since, fetch_error, next_fetch_at }, now }: FreshnessProps) => (
  <span class="fault">
    {failing_since && (
      <>
        Not updating <Since at={failing_since} now={now} />.{' '}
      </>
    )}
    {fetch_error}
    {next_fetch_at && (
      <>
        {' '}
        Next try <Planned at={next_fetch_at} now={now} />.
      </>
    )}
  </span>
)

type BackfillProps = { channel: Pick<Channel, 'channel_id'>; backfill: ShownBackfill; now: Date }

const pathOf = (channel: BackfillProps['channel']) => `${channelPath(channel)}/backfill`

/** The button that loads older videos; absent where their status has a button: to cancel, or to continue. */
export const LoadOlder = ({ channel, backfill }: Omit<BackfillProps, 'now'>) =>
  !isUnfinished(backfill) &&
  backfill.state !== 'incomplete' && (
    <form method="post" action={pathOf(channel)}>
      <Button class="item" busy="Loading…">
        Load older videos
      </Button>
    </form>
  )

export const BackfillStatus = (props: BackfillProps) => (
  <>
    <Status {...props} />
    <Ticker {...props} />
  </>
)

/** The answer to a poll. It is morphed, so that focus stays. The list of videos does not change while a person reads it. */
export const BackfillChanged = (props: BackfillProps) => (
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

const Ticker = ({ channel, backfill }: BackfillProps) =>
  isUnfinished(backfill) ? (
    <div id="backfill-ticker" hx-get={pathOf(channel)} hx-trigger="every 2s" hx-swap="none"></div>
  ) : (
    <div id="backfill-ticker"></div>
  )

/** `is_polled`: the page was loaded before the videos were. */
const Status = ({ is_polled = false, ...props }: BackfillProps & { is_polled?: boolean }) => (
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

function isShown({ backfill: { state, finished_at }, now }: BackfillProps): boolean {
  if (state === 'never') return false
  const is_old = finished_at !== null && now.getTime() - finished_at.getTime() > shown_ms
  return state === 'incomplete' || state === 'failed' || !is_old
}

const Words = ({ backfill: { state, found, saved, error, next_attempt_at }, now }: BackfillProps) => {
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

const Actions = ({ channel, backfill }: BackfillProps) => {
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
