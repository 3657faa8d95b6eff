/** The line that says how up to date a channel is: when its feed was fetched, since when it fails and why. */
import type { Channel } from '../../schema/channel.ts'
import { Ago, Planned, Since } from './times.tsx'
import { countWords } from './words.ts'

type Props = { channel: Channel; now: Date }

/** `with_next`: also says when the feed is fetched next, although nothing is wrong. */
export const Freshness = ({ channel, now, with_next = false }: Props & { with_next?: boolean }) => (
  <p class="quiet">
    {countWords(channel.entry_count, 'video')} · <Updated channel={channel} now={now} />
    {with_next && <NextCheck channel={channel} now={now} />}
    <Trouble channel={channel} now={now} />
  </p>
)

const Updated = ({ channel: { last_fetched_at }, now }: Props) =>
  last_fetched_at ? (
    <>
      Updated <Ago at={last_fetched_at} now={now} />
    </>
  ) : (
    <>Not updated yet</>
  )

const NextCheck = ({ channel: { next_fetch_at, fetch_error }, now }: Props) =>
  next_fetch_at && !fetch_error ? (
    <>
      , next check <Planned at={next_fetch_at} now={now} />
    </>
  ) : null

const Trouble = ({ channel, now }: Props) => {
  if (channel.fetch_error) return <Failing channel={channel} now={now} />
  if (!channel.feed_warning) return null
  return (
    <>
      . <span class="fault">{channel.feed_warning}</span>
    </>
  )
}

const Failing = ({ channel: { failing_since, fetch_error, next_fetch_at }, now }: Props) => (
  <>
    {'. '}
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
  </>
)
