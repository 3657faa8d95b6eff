/** Why a listing ended early, in sentences about a list and not about one video. */
import type { Reason } from '../../schema/downloads/run.ts'
import { most_listed } from '../../schema/sources/listing.ts'
import { cleaned } from './clean-text.ts'
import { type Failure, failures } from './failure.ts'
import type { Ended } from './process.ts'
import { failureOf } from './read-error.ts'

/** `said`: the line with yt-dlp's error, or nothing. If we stopped yt-dlp, that is the reason, whatever it printed. */
export function listingFailure({ stopped, could_start, exit_code }: Ended, said: string, site?: string): Failure {
  if (stopped) return { ...failures[stopped], ...interrupted, detail: cleaned(said) }
  if (said) return aboutList(failureOf({ said, site }), site ?? 'The site')
  if (!could_start) return failures.not_started
  return { ...failures.unknown, ...interrupted, detail: `yt-dlp ended with ${exit_code}` }
}

const interrupted = {
  kind: 'transient',
  sentence: 'The site stopped sending its list of videos. Try again later.',
} as const

/** An error of a listing is not about one video, so a sentence about one would be wrong. */
function aboutList(failure: Failure, site: string): Failure {
  const sentence = sentences[failure.reason]
  return sentence === undefined ? failure : { ...failure, sentence: sentence.replace('{site}', site) }
}

const sentences: { [reason in Reason]?: string } = {
  not_found: '{site} has no such channel or list any more.',
  removed: '{site} has removed this channel or list.',
  unavailable: '{site} does not show the list of videos at the moment. Try again later.',
  private: '{site} shows this list only to its owner.',
  members: '{site} shows this list only to members.',
  sign_in: '{site} shows this list only to people who are signed in there.',
  bot_check: '{site} wants proof that we are not a bot. Try again later.',
  unsupported: 'Our download tools cannot list the videos of this page.',
  unknown: '{site} did not send its list of videos, for an unknown reason.',
}

export const cutShort: Failure = {
  kind: 'permanent',
  reason: 'too_long',
  sentence: `This list has more than ${most_listed.toLocaleString('en')} videos. The first ${most_listed.toLocaleString('en')} are listed.`,
  detail: '',
}
