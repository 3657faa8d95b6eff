/** Why a run of yt-dlp ended without a file that can be kept. What an error line means is left to `read-error.ts`. */
import { namesMediaFile, siteOf } from '../../schema/values/address.ts'
import { cleaned } from './clean-text.ts'
import { type Failure, failures } from './failure.ts'
import type { Ended } from './process.ts'
import { failureOf } from './read-error.ts'
import { readInfoFile } from './subtitles.ts'

/** `live`: yt-dlp's `live_status`. */
type Printed = { url: string; last_error: string; live: string | null | undefined }

/** If we stopped yt-dlp, that is the reason, whatever it printed. */
export function failureAfter({ stopped, could_start, exit_code }: Ended, { url, last_error, live }: Printed): Failure {
  if (stopped) return { ...failures[stopped], detail: cleaned(last_error) }
  if (last_error) return withoutVideo(failureOf({ said: last_error, site: siteOf(url) }), url)
  if (!could_start) return failures.not_started
  if (exit_code !== 0) return { ...failures.unknown, detail: `yt-dlp ended with ${exit_code}` }
  if (live === 'post_live') return failures.recording
  return live?.startsWith('is_') ? failures.live : failures.no_file
}

/**
 * A page without a video has none tomorrow either, but one in place of a media file says that its site is unwell. What a feed calls an
 * enclosure is not stored, so the ending of the address tells.
 */
const withoutVideo = (failure: Failure, url: string): Failure =>
  failure.reason === 'unsupported' && namesMediaFile(url)
    ? { ...failures.page_instead, detail: failure.detail }
    : failure

/** The same for a file that cannot be read: by its address, or because the site called its answer media. `folder`: of the run. */
export async function failureOfFile(failure: Failure, url: string, folder: string): Promise<Failure> {
  if (failure !== failures.not_readable) return failure
  const info = namesMediaFile(url) ? undefined : await readInfoFile(folder).catch(() => undefined)
  return namesMediaFile(url) || info?.direct ? failures.damaged : failure
}
