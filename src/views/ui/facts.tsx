/**
 * What a platform says about a video, in the few words of a card or a row: its length or "Live now" on the picture, and who can watch
 * it. Sentences about it are left to `notes.tsx`.
 */
import type { Availability } from '../../schema/sources/facts.ts'
import type { FeedEntry } from '../../schema/sources/feed.ts'
import { durationWords, spokenDuration } from './words.ts'

export type KnownFacts = Pick<FeedEntry, 'duration_seconds' | 'live_status' | 'availability'>

/** On the picture, which is hidden from screen readers. `Spoken` says the same to them. */
export const Badge = ({ facts: { live_status, duration_seconds } }: { facts: KnownFacts }) => {
  if (live_status === 'live') return <span class="length live">Live now</span>
  if (live_status === 'upcoming') return <span class="length">Upcoming</span>
  return duration_seconds ? <span class="length">{durationWords(duration_seconds)}</span> : null
}

/** Place it before long names: an element that is not seen can still make the page wider. */
export const Spoken = ({ facts: { live_status, duration_seconds } }: { facts: KnownFacts }) => {
  if (live_status === 'live') return <span class="spoken">Live now. </span>
  if (live_status === 'upcoming') return <span class="spoken">Upcoming. </span>
  return duration_seconds ? <span class="spoken">{spokenDuration(duration_seconds)}. </span> : null
}

/** The line of a card or a row begins with this. */
export const LineFacts = ({ video }: { video: KnownFacts }) => {
  const tag = video.availability && tags[video.availability]
  return (
    <>
      <Spoken facts={video} />
      {tag && (
        <>
          <span class="tag">{tag}</span>{' '}
        </>
      )}
    </>
  )
}

/** `null`: most videos, and those that say so only on their own page. */
const tags: Record<Availability, string | null> = {
  public: null,
  unlisted: null,
  members_only: 'Members only',
  age_restricted: 'Age-restricted',
  private: 'Private',
  removed: 'No longer on the site',
}
