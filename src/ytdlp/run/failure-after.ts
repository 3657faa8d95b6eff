/** Why a run of yt-dlp ended without a file. Pure. What an error line means is left to `read-error.ts`. */
import { siteOf } from '../../schema/address.ts'
import { cleaned } from './clean-text.ts'
import { type Failure, failures } from './failure.ts'
import type { Ended } from './process.ts'
import { failureOf } from './read-error.ts'

/** `live`: yt-dlp's `live_status`. */
type Printed = { url: string; last_error: string; live: string | null | undefined }

/** If we stopped yt-dlp, that is the reason, whatever it printed. */
export function failureAfter({ stopped, could_start, exit_code }: Ended, { url, last_error, live }: Printed): Failure {
  if (stopped) return { ...failures[stopped], detail: cleaned(last_error) }
  if (last_error) return failureOf({ said: last_error, site: siteOf(url) })
  if (!could_start) return failures.not_started
  if (exit_code !== 0) return { ...failures.unknown, detail: `yt-dlp ended with ${exit_code}` }
  if (live === 'post_live') return failures.recording
  return live?.startsWith('is_') ? failures.live : failures.no_file
}
