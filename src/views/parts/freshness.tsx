/**
 * The line that says how a channel's feed is doing: when it was fetched, when it is next, since when it fails and
 * why, and what of it could not be read.
 */
import type { Channel } from '../../schema/channel.ts'
import { countWords, momentWords, relativeWords, spanWords } from './words.ts'

type Props = { channel: Channel; now: Date }

export const Freshness = ({ channel, now }: Props) => (
  <p class="quiet">
    {countWords(channel.entry_count, 'video')} · <Fetched channel={channel} now={now} />
    {channel.fetch_error && <Failing channel={channel} now={now} />}
    {!channel.fetch_error && channel.feed_warning && (
      <>
        . <span class="fault">{channel.feed_warning}</span>
      </>
    )}
  </p>
)

const Fetched = ({ channel: { last_fetched_at, next_fetch_at, fetch_error }, now }: Props) => (
  <>
    {last_fetched_at ? (
      <time datetime={last_fetched_at.toISOString()} title={momentWords(last_fetched_at)}>
        refreshed {relativeWords(last_fetched_at, now)}
      </time>
    ) : (
      'not fetched yet'
    )}
    {next_fetch_at && !fetch_error && (
      <>
        , next <Soon date={next_fetch_at} now={now} />
      </>
    )}
  </>
)

const Failing = ({ channel: { failing_since, fetch_error, next_fetch_at }, now }: Props) => (
  <>
    .{' '}
    <span class="fault">
      {failing_since && (
        <>
          Failing for{' '}
          <time datetime={failing_since.toISOString()} title={momentWords(failing_since)}>
            {spanWords(failing_since, now)}
          </time>
          :{' '}
        </>
      )}
      {fetch_error}
      {next_fetch_at && (
        <>
          {' '}
          Tries again <Soon date={next_fetch_at} now={now} />.
        </>
      )}
    </span>
  </>
)

/** What is due waits for its turn. */
const Soon = ({ date, now }: { date: Date; now: Date }) => (
  <time datetime={date.toISOString()} title={momentWords(date)}>
    {date > now ? relativeWords(date, now) : 'in a moment'}
  </time>
)
