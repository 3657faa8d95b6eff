/** Times as elements. Only a browser knows the reader's time zone, so `page/clocks.js` turns some of them into clock times. */
import type { Precision } from '../../schema/sources/facts.ts'
import type { FeedEntry } from '../../schema/sources/feed.ts'
import { dateWords, momentWords, monthWords, relativeWords, spanWords, whenWords } from '../../schema/values/words.ts'

type Time = { at: Date; now: Date }

type AgoProps = { words?: string; at: Date | null; now: Date }

/** "3 days ago", with the exact time on hover, after some `words`; nothing without a time. */
export const Ago = ({ words = '', at, now }: AgoProps) =>
  at && (
    <>
      {words}
      <Moment at={at} words={relativeWords(at, now)} />
    </>
  )

/** "used 3 days ago". `at` null: never. */
export const LastUse = ({ at, now }: { at: Date | null; now: Date }) =>
  at ? <Ago words="used " at={at} now={now} /> : <>never used</>

const Moment = ({ at, words }: { at: Date; words: string }) => (
  <time datetime={at.toISOString()} title={momentWords(at)}>
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

type DatedVideo = Pick<FeedEntry, 'published_at' | 'published_precision' | 'live_status'> & { first_seen_at: Date }
type DateProps = { video: DatedVideo; now: Date }

/** The words of `PublishedAgo`: all of it that depends on the time. */
export const agoWords = ({ published_at, published_precision, first_seen_at }: DatedVideo, now: Date): string =>
  published_at === null
    ? relativeWords(first_seen_at, now)
    : publishedWords(published_at, published_precision ?? 'exact', now)

/** When a video was published or streamed, or else when Backlot first saw it. */
export const PublishedAgo = ({ video, now }: DateProps) => {
  const { published_at, published_precision, first_seen_at, live_status } = video
  if (published_at === null) return <Ago words="added " at={first_seen_at} now={now} />
  const precision = published_precision ?? 'exact'
  const words = agoWords(video, now)
  return (
    <>
      {verbOf(live_status, words)}
      <PublishedTime at={published_at} words={words} precision={precision} />
    </>
  )
}

/** "3 hours ago", "today" for a day without a time, "about 3 years ago": no more precise than the date. */
export function publishedWords(at: Date, precision: Precision, now: Date): string {
  switch (precision) {
    case 'exact':
      return relativeWords(at, now)
    case 'day':
      return publishedDayWords(at, now)
    case 'approximate':
      return aboutWords(relativeWords(at, now))
  }
}

const day_ms = 24 * 3_600_000

/** `at`: the start of the day in UTC. */
function publishedDayWords(at: Date, now: Date): string {
  const since_ms = now.getTime() - at.getTime()
  if (Math.abs(since_ms) >= day_ms) return relativeWords(at, now)
  return since_ms >= 0 ? 'today' : 'tomorrow'
}

const aboutWords = (words: string) => (words.endsWith(' ago') ? `about ${words}` : words)

/** "starts in 2 hours", "streamed 3 hours ago". The date of an announced video may also be the past day of the announcement. */
function verbOf(live_status: FeedEntry['live_status'], words: string): string {
  if (live_status === 'was_live') return 'streamed '
  return live_status === 'upcoming' && /^(in |tomorrow)/.test(words) ? 'starts ' : ''
}

/** A program that reads the page gets a date only where the date is right to the day. */
const PublishedTime = ({ at, words, precision }: { at: Date; words: string; precision: Precision }) => {
  switch (precision) {
    case 'exact':
      return <Moment at={at} words={words} />
    case 'day':
      return (
        <time datetime={at.toISOString().slice(0, 10)} title={dateWords(at)}>
          {words}
        </time>
      )
    case 'approximate':
      return <span title={`Approximate: about ${monthWords(at)}`}>{words}</span>
  }
}

/** For the page of the video: also the date, from one day on. That the video is a recording has a sentence of its own there. */
export const PublishedInFull = ({ video, now }: DateProps) => {
  const { published_at, published_precision, first_seen_at, live_status } = video
  if (published_at && published_precision === 'approximate')
    return <>Published about {monthWords(published_at)} (approximate)</>
  const at = published_at ?? first_seen_at
  const is_day = published_at !== null && published_precision === 'day'
  return (
    <>
      <PublishedAgo video={{ ...video, live_status: live_status === 'was_live' ? null : live_status }} now={now} />
      {Math.abs(now.getTime() - at.getTime()) >= day_ms && <OnDate at={at} is_day={is_day} />}
    </>
  )
}

/** `is_day`: the time of day is unknown. The day of an exact time depends on the time zone of the reader. */
const OnDate = ({ at, is_day }: { at: Date; is_day: boolean }) => (
  <>
    {' · '}
    {is_day ? (
      dateWords(at)
    ) : (
      <time data-clock="on" datetime={at.toISOString()}>
        {dateWords(at)}
      </time>
    )}
  </>
)
