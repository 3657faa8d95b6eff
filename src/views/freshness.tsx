/** The line that says how a channel's feed is doing: when it was fetched, when it is next, since when it fails and why. */
import type { Channel } from '../schema/channel.ts'
import { countWords, relativeWords, spanWords } from './words.ts'

type Props = { channel: Channel; now: Date }

export const Freshness = ({ channel, now }: Props) => (
  <p class="quiet">
    {countWords(channel.entry_count, 'video')} · <Fetched channel={channel} now={now} />
    {channel.fetch_error && <Failing channel={channel} now={now} />}
  </p>
)

const Fetched = ({ channel: { last_fetched_at, next_fetch_at, fetch_error }, now }: Props) => (
  <>
    {last_fetched_at ? (
      <time datetime={last_fetched_at.toISOString()}>refreshed {relativeWords(last_fetched_at, now)}</time>
    ) : (
      'not fetched yet'
    )}
    {next_fetch_at && !fetch_error && `, next ${soonWords(next_fetch_at, now)}`}
  </>
)

const Failing = ({ channel: { failing_since, fetch_error, next_fetch_at }, now }: Props) => (
  <>
    .{' '}
    <span class="fault">
      {failing_since && (
        <>
          Failing for <time datetime={failing_since.toISOString()}>{spanWords(failing_since, now)}</time>:{' '}
        </>
      )}
      {fetch_error}
      {next_fetch_at && ` Tries again ${soonWords(next_fetch_at, now)}.`}
    </span>
  </>
)

/** What is due waits for its turn. */
const soonWords = (date: Date, now: Date) => (date > now ? relativeWords(date, now) : 'in a moment')
