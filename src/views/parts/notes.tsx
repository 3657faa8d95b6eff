/** Sentences about a video on its own page: whether its site still has it, who can watch it there, and how it was found. */
import type { DownloadStatus } from '../../schema/download.ts'
import type { Availability, LiveStatus, Source } from '../../schema/facts.ts'
import type { ListedVideo } from '../../schema/video.ts'

type Noted = Pick<ListedVideo, 'availability' | 'live_status' | 'source' | 'download_status'>

export const Notes = ({ video }: { video: Noted }) => {
  const sentences = notesOf(video)
  return sentences.length > 0 ? <p class="quiet">{sentences.join(' ')}</p> : null
}

function notesOf({ availability, live_status, source, download_status }: Noted): string[] {
  return [
    availability === 'removed' ? removedWords(download_status) : availabilities[availability ?? 'public'],
    live_states[live_status ?? 'none'],
    sources[source],
  ].filter(sentence => sentence !== undefined)
}

const removedWords = (download_status: DownloadStatus) =>
  download_status === 'completed'
    ? 'No longer on the site. You have a copy.'
    : 'No longer on the site, and there is no copy.'

const availabilities: Partial<Record<Availability, string>> = {
  unlisted: 'Unlisted on its site.',
  members_only: 'Members only.',
  age_restricted: 'Age-restricted.',
  private: 'Private on its site.',
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
