/** Times as elements. Only a browser knows the reader's time zone, so `backlot.js` turns some of them into clock times. */
import type { Precision } from '../../schema/sources/facts.ts'
import type { FeedEntry } from '../../schema/sources/feed.ts'
import type { ShownDate } from './shown-video.ts'
import { dateWords, momentWords, monthWords, relativeWords, spanWords, whenWords } from './words.ts'

type Time = { at: Date; now: Date }

/** "3 days ago", with the exact time on hover. */
export const Ago = ({ at, now }: Time) => <Moment at_ms={at.getTime()} words={relativeWords(at, now)} />

/** The same from plain values, which a remembered part has. */
export const Moment = ({ at_ms, words }: { at_ms: number; words: string }) => {
  const at = new Date(at_ms)
  return (
    <time datetime={at.toISOString()} title={momentWords(at)}>
      {words}
    </time>
  )
}

/** When a video was published or streamed, or else when Backlot first saw it. */
export const When = ({ video: { precision, live_status, ...date } }: { video: Dated }) => (
  <>
    {precision === null ? 'added ' : verbOf(live_status, date.ago)}
    <Published precision={precision ?? 'exact'} {...date} />
  </>
)

/** "starts in 2 hours", "streamed 3 hours ago". The date of an announced video may also be the past day of the announcement. */
function verbOf(live_status: FeedEntry['live_status'], ago: string): string {
  if (live_status === 'was_live') return 'streamed '
  return live_status === 'upcoming' && /^(in |tomorrow)/.test(ago) ? 'starts ' : ''
}
type Dated = ShownDate & Pick<FeedEntry, 'live_status'>

/**
 * The same on the page of the video, with the date from one day on. An approximate date has a sentence, and a recording has one of
 * its own.
 */
export const WhenInFull = ({ video: { live_status, ...date }, now }: { video: Dated; now: Date }) => {
  const at = new Date(date.at_ms)
  if (date.precision === 'approximate') return <>Published about {monthWords(at)} (approximate)</>
  return (
    <>
      <When video={{ ...date, live_status: live_status === 'was_live' ? null : live_status }} />
      {Math.abs(now.getTime() - date.at_ms) >= day_ms && <OnDate at={at} precision={date.precision} />}
    </>
  )
}

const day_ms = 24 * 3_600_000

/** The day of an exact time depends on the time zone of the reader. */
const OnDate = ({ at, precision }: { at: Date; precision: ShownDate['precision'] }) => (
  <>
    {' · '}
    {precision === 'day' ? (
      dateWords(at)
    ) : (
      <time data-clock="on" datetime={at.toISOString()}>
        {dateWords(at)}
      </time>
    )}
  </>
)

/** A program that reads the page gets a date only where the date is right to the day. */
const Published = ({ at_ms, ago, precision }: { at_ms: number; ago: string; precision: Precision }) => {
  switch (precision) {
    case 'exact':
      return <Moment at_ms={at_ms} words={ago} />
    case 'day':
      return <Day at={new Date(at_ms)} words={ago} />
    case 'approximate':
      return <span title={`Approximate: about ${monthWords(new Date(at_ms))}`}>{ago}</span>
  }
}

const Day = ({ at, words }: { at: Date; words: string }) => (
  <time datetime={at.toISOString().slice(0, 10)} title={dateWords(at)}>
    {words}
  </time>
)

/** A planned time: "at 23:12" in the reader's time zone; "in 14 minutes" without a script. A time that has passed: "soon". */
export const Planned = ({ at, now }: Time) =>
  at > now ? (
    <time data-clock="at" datetime={at.toISOString()} title={momentWords(at)}>
      {whenWords(at, now)}
    </time>
  ) : (
    <>soon</>
  )

/** Since when something lasts: "since yesterday 22:56" in the reader's time zone; "for 3 hours" without a script. */
export const Since = ({ at, now, children = `for ${spanWords(at, now)}` }: Time & { children?: string }) => (
  <time data-clock="since" datetime={at.toISOString()} title={momentWords(at)}>
    {children}
  </time>
)
