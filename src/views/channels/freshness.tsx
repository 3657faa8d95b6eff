/** The line that says how up to date a channel is: when its feed was fetched, since when it fails and why. */
import type { Channel } from '../../schema/channels/channel.ts'
import { Moment, Planned, Since } from '../ui/times.tsx'
import { countWords, relativeWords } from '../ui/words.ts'

type Props = { channel: Channel; now: Date }

/** `with_next`: also says when the feed is fetched next, although nothing is wrong. */
export const Freshness = ({ channel, now, with_next = false }: Props & { with_next?: boolean }) => (
  <p class="quiet">
    <Updated {...updateOf(channel, now)} />
    {with_next && <NextCheck channel={channel} now={now} />}
    {isInTrouble(channel) && '. '}
    <Trouble channel={channel} now={now} />
  </p>
)

type Update = { entry_count: number; is_followed: boolean; fetched_at_ms: number | null; ago: string }

/** What `Updated` shows, as plain values, so that a row can be remembered. */
export const updateOf = ({ entry_count, followed, last_fetched_at: at }: Channel, now: Date): Update => ({
  entry_count,
  is_followed: followed,
  fetched_at_ms: at?.getTime() ?? null,
  ago: at ? relativeWords(at, now) : '',
})

/** The whole line of a channel without an error or a warning. */
export const Updated = ({ entry_count, is_followed, fetched_at_ms, ago }: Update) => (
  <>
    {countWords(entry_count, 'video')} ·{' '}
    {!is_followed ? (
      'Not followed'
    ) : fetched_at_ms === null ? (
      'Not updated yet'
    ) : (
      <>
        Updated <Moment at_ms={fetched_at_ms} words={ago} />
      </>
    )}
  </>
)

export const isInTrouble = ({ fetch_error, feed_warning }: Channel): boolean => Boolean(fetch_error || feed_warning)

const NextCheck = ({ channel: { next_fetch_at, fetch_error }, now }: Props) =>
  next_fetch_at && !fetch_error ? (
    <span class="next-check">
      , next check <Planned at={next_fetch_at} now={now} />
    </span>
  ) : null

/** What is wrong, if anything. */
export const Trouble = ({ channel, now }: Props) => {
  if (channel.fetch_error) return <Failing channel={channel} now={now} />
  return channel.feed_warning ? <span class="fault">{channel.feed_warning}</span> : null
}

const Failing = ({ channel, now }: Props) =>
  channel.failing_since && channel.listed_at ? (
    <>
      The feed has failed <Since at={channel.failing_since} now={now} />. New videos come from the channel’s page
      meanwhile.
    </>
  ) : (
    <NotUpdating channel={channel} now={now} />
  )

const NotUpdating = ({ channel: { failing_since, fetch_error, next_fetch_at }, now }: Props) => (
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
