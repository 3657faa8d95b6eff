/** Sentences about a video on its own page: whether its site still has it, who can watch it there, and how it was found. */
import type { DownloadStatus } from '../../schema/downloads/download.ts'
import type { Availability, LiveStatus, Source } from '../../schema/sources/facts.ts'
import type { ListedVideo } from '../../schema/videos/video.ts'

type Noted = Pick<ListedVideo, 'availability' | 'live_status' | 'source' | 'download_status'>

export const Notes = ({ video }: { video: Noted }) => {
  const sentences = notesOf(video)
  return sentences.length > 0 ? <p class="quiet">{sentences.join(' ')}</p> : null
}

function notesOf({ availability, live_status, source, download_status }: Noted): string[] {
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
    download_status === 'pending' ? 'Members only. We check again until it opens.' : 'Members only.',
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
