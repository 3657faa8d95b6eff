/** How up to date a channel is: when its feed was fetched, why it fails, and how far loading its older videos is. */
import type { Child } from 'hono/jsx'
import { type Channel, isUnfinished, type ShownBackfill } from '../../schema/channels/channel.ts'
import { backfill_id, channelPath } from '../../schema/http/paths.ts'
import { countWords, numberWords } from '../../schema/values/words.ts'
import { Button } from '../ui/forms.tsx'
import { Ago, Planned, Since } from '../ui/times.tsx'

type FreshnessProps = { channel: Channel; now: Date }
type TroubleProps = {
  channel: Pick<Channel, 'fetch_error' | 'feed_warning' | 'failing_since' | 'listed_at' | 'next_fetch_at'>
  now: Date
}

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
      <Ago words="Updated " at={last_fetched_at} now={now} />
    )}
  </>
)

export const isInTrouble = ({ fetch_error, feed_warning }: TroubleProps['channel']): boolean =>
  Boolean(fetch_error || feed_warning)

const NextCheck = ({ channel: { next_fetch_at, fetch_error }, now }: FreshnessProps) =>
  next_fetch_at && !fetch_error ? (
    <>
      , next check <Planned at={next_fetch_at} now={now} />
    </>
  ) : null

export const Trouble = ({ channel, now }: TroubleProps) => {
  if (channel.fetch_error) return <Failing channel={channel} now={now} />
  return channel.feed_warning ? <span class="fault">{channel.feed_warning}</span> : null
}

const Failing = ({ channel, now }: TroubleProps) =>
  channel.failing_since && channel.listed_at ? (
    <>
      The feed has failed <Since at={channel.failing_since} now={now} />. New videos come from the channel’s page
      meanwhile.
    </>
  ) : (
    <NotUpdating channel={channel} now={now} />
  )

const NotUpdating = ({ channel: { failing_since, fetch_error, next_fetch_at }, now }: TroubleProps) => (
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

type BackfillProps = { channel: Pick<Channel, 'channel_id' | 'entry_count'>; backfill: ShownBackfill; now: Date }

const pathOf = (channel: BackfillProps['channel']) => `${channelPath(channel)}/backfill`

/** At the end of the list: the offer to load the older videos, and how far that is. */
export const OlderVideos = (props: BackfillProps) => (
  <>
    <Status {...props} />
    <Ticker {...props} />
  </>
)

type ChangedProps = BackfillProps & { is_polled?: boolean }

/** The answer to a button or a poll. It is morphed, so that focus stays. The list of videos does not change while a person reads it. */
export const BackfillChanged = ({ is_polled = false, ...props }: ChangedProps) => (
  <>
    <hx-partial hx-target={`#${backfill_id}`} hx-swap="outerMorph">
      <Status {...props} is_update />
    </hx-partial>
    {!(is_polled && isUnfinished(props.backfill)) && (
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

/** `is_update`: the list on the page is from before the videos were loaded. */
const Status = ({ is_update = false, ...props }: BackfillProps & { is_update?: boolean }) => (
  <div id={backfill_id} class="backfill">
    {isShown(props) && (
      <>
        <p role="status" tabindex={-1}>
          <Words {...props} />
        </p>
        {is_update && !isUnfinished(props.backfill) && props.backfill.saved > 0 && (
          <a href={channelPath(props.channel)}>Show them</a>
        )}
        <Actions {...props} />
      </>
    )}
  </div>
)

/** How long it is shown that all were loaded. */
const shown_ms = 24 * 3_600_000

const isShown = ({ backfill: { state, finished_at }, now }: BackfillProps): boolean =>
  state !== 'done' || finished_at === null || now.getTime() - finished_at.getTime() <= shown_ms

const Words = ({ channel, backfill: { state, found, saved, error, next_attempt_at }, now }: BackfillProps) => {
  const loaded = countWords(saved, 'older video')
  switch (state) {
    case 'never':
      return <>{knownWords(channel)}</>
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

/** Which videos of a channel are known before its older ones are loaded. */
export const knownWords = ({ entry_count }: Pick<Channel, 'entry_count'>): string =>
  entry_count === 0
    ? 'Older videos are not loaded.'
    : entry_count === 1
      ? 'The newest video is here.'
      : `The ${numberWords(entry_count)} newest are here.`

const foundWords = (found: number) => `${countWords(found, 'older video')} found so far`

const Actions = ({ channel, backfill: { state } }: BackfillProps) => {
  switch (state) {
    case 'queued':
    case 'running':
      return <Cancel channel={channel} />
    case 'done':
      return null
    case 'incomplete':
      return <LoadOlder channel={channel}>Continue</LoadOlder>
    case 'failed':
      return <LoadOlder channel={channel}>Try again</LoadOlder>
    case 'never':
    case 'cancelled':
      return <LoadOlder channel={channel}>Load the rest</LoadOlder>
  }
}

type FormProps = { channel: BackfillProps['channel']; children?: Child }

const LoadOlder = ({ channel, children }: FormProps) => (
  <form method="post" action={pathOf(channel)} hx-post={pathOf(channel)} hx-swap="none" hx-sync="this:drop">
    <Button busy="Loading…">{children}</Button>
  </form>
)

/** The id keeps a morph from turning the button that loads into this one, which would then have the focus. */
const Cancel = ({ channel }: FormProps) => {
  const path = `${pathOf(channel)}/cancel`
  return (
    <form id="cancel-backfill" method="post" action={path} hx-post={path} hx-swap="none" hx-sync="this:drop">
      <Button busy="Stopping…">Cancel</Button>
    </form>
  )
}
