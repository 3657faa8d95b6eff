/**
 * What cards, rows and pages say about a video: its title and channel as links, and what its platform says, in a word on a card and in
 * sentences on the page of the video.
 */
import type { Child } from 'hono/jsx'
import type { DownloadStatus } from '../../schema/downloads/download.ts'
import { channelPath, playPath } from '../../schema/http/paths.ts'
import type { Availability, LiveStatus, Source } from '../../schema/sources/facts.ts'
import type { FeedEntry } from '../../schema/sources/feed.ts'
import { durationWords, spokenDuration } from '../../schema/values/words.ts'
import type { ListedVideo } from '../../schema/videos/video.ts'
import { titleId } from '../ui/element-ids.ts'

type AboutProps = {
  video: Pick<ListedVideo, 'video_id' | 'title' | 'download_status'> & KnownFacts
  heading: 'h2' | 'h3'
  /** The line, after the facts. */
  children: Child
}

/** The title of a video and a line about it: in a card or a row. */
export const AboutVideo = ({ video, heading: Heading, children }: AboutProps) => (
  <div class="about">
    <Heading class="title" id={titleId(video.video_id)}>
      <a href={playPath(video)} dir="auto">
        {video.title}
      </a>
    </Heading>
    <p class="quiet line">
      <LineFacts video={video} />
      {children}
    </p>
  </div>
)

/**
 * Isolated, because a name from right to left would reorder the words around it. `data-name`: the style sheet shows it in place of the
 * link until the card or row is pointed at or has the focus.
 */
export const ChannelLink = ({ video }: { video: Pick<ListedVideo, 'channel_id' | 'channel_title'> }) => (
  <bdi class="channel" data-name={video.channel_title}>
    <a href={channelPath(video)}>{video.channel_title}</a>
  </bdi>
)

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
export const LineFacts = ({ video }: { video: KnownFacts & { download_status?: DownloadStatus } }) => {
  // A failed download says in its sentence who can watch the video.
  const tag = video.availability && video.download_status !== 'failed' && tags[video.availability]
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

type RemarkedVideo = Pick<ListedVideo, 'availability' | 'live_status' | 'source' | 'download_status'>

/** Sentences for the page of the video: whether its site still has it, who can watch it there, and how it was found. */
export const Remarks = ({ video }: { video: RemarkedVideo }) => {
  const sentences = remarksOf(video)
  return sentences.length > 0 ? <p class="quiet">{sentences.join(' ')}</p> : null
}

function remarksOf({ availability, live_status, source, download_status }: RemarkedVideo): string[] {
  return [
    availabilities[availability ?? 'public']?.(download_status),
    live_states[live_status ?? 'none'],
    sources[source],
  ].filter(sentence => sentence !== undefined)
}

const availabilities: Partial<Record<Availability, (download_status: DownloadStatus) => string>> = {
  unlisted: () => 'Unlisted on its site.',
  // A failed download says itself that we check again.
  members_only: download_status =>
    download_status === 'pending' ? "Members only. We'll keep checking." : 'Members only.',
  age_restricted: () => 'Age-restricted.',
  private: () => 'Private on its site.',
  removed: download_status =>
    download_status === 'completed'
      ? 'No longer on the site. You have a copy.'
      : 'No longer on the site, and there is no copy.',
}

const live_states: Partial<Record<LiveStatus, string>> = {
  upcoming: 'Upcoming.',
  live: 'Live now.',
  was_live: 'Recording of a live stream.',
}

const sources: Partial<Record<Source, string>> = {
  listing: 'Found when older videos were loaded.',
  address: 'Added by you.',
}
