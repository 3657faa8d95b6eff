/** Asks yt-dlp what one address is while a person waits: a video, several videos, or nothing that can be added. Saves nothing. */
import { DomainError, type ErrorCode } from '../../errors.ts'
import { feedlessOf, knownFeedsOf, listingsOf } from '../../feed/platforms/by-address.ts'
import { loadedOnce } from '../../runtime/cache.ts'
import type { Reason } from '../../schema/downloads/run.ts'
import type { FoundList } from '../../schema/sources/discovery.ts'
import type { LookedVideo } from '../../schema/sources/listing.ts'
import { isolated } from '../../schema/values/words.ts'
import type { LookedList, VideoLooker } from '../../ytdlp/ask/look-at.ts'
import { type Failure, failures, no_public_site } from '../../ytdlp/failures/failure.ts'

/** What makes entries of such videos. It loads the code that reads feeds, which most starts never need. */
export const lookedEntries = loadedOnce(() => import('./looked-entry.ts'))

/** The longest time that a page waits for it. */
export const look_ms = 20_000

/** `refusal`: why the address cannot be added, for people. */
export type LookResult = { video: LookedVideo } | { list: FoundList } | { refusal: DomainError }

/** `whose`: the person whose turn it takes. `signal`: ends it earlier than `look_ms`. Does not reject. */
export async function lookUp(
  lookAt: VideoLooker,
  { url, whose, signal }: { url: string; whose: string; signal?: AbortSignal },
): Promise<LookResult> {
  const in_time = signal ?? AbortSignal.timeout(look_ms)
  try {
    const result = await lookAt({ url, whose, signal: in_time })
    if ('failure' in result) return { refusal: refusalOf(result.failure) }
    return 'video' in result ? result : { list: listOf(url, result.list) }
  } catch (cause) {
    if (cause instanceof DomainError) return { refusal: cause }
    if (in_time.aborted) return { refusal: new DomainError('feed_timeout', too_slow, { cause }) }
    return { refusal: new DomainError('internal', 'This address could not be read. Try again later.', { cause }) }
  }
}

const too_slow = 'The site did not answer in time. Try again later.'
const no_disk = 'The disk of this server cannot be used, so the link was not looked up. Tell an administrator.'
const not_ready = 'yt-dlp, which knows most video sites, is not ready yet. Try again in a minute.'

function refusalOf(failure: Failure): DomainError {
  const { reason, sentence, detail } = failure
  if (sentence === no_public_site) return new DomainError('address_refused', sentence)
  if (reason === 'tools' && sentence !== failures.not_started.sentence)
    return new DomainError('unavailable', not_ready, { cause: detail, retry_after_s: 60 })
  return new DomainError(codes[reason] ?? 'invalid', sentences[reason] ?? sentence, { cause: detail })
}

/** Every other reason is about the video: it does not help to try again. */
const codes: Partial<Record<Reason, ErrorCode>> = {
  tools: 'unavailable',
  local: 'unavailable',
  no_room: 'unavailable',
  storage: 'unavailable',
  proxy: 'unavailable',
  silent: 'feed_timeout',
  rate_limited: 'feed_failed',
  bot_check: 'feed_failed',
  fingerprint: 'feed_failed',
  site_trouble: 'feed_failed',
  extraction: 'feed_failed',
  unknown: 'feed_failed',
}

/** Where the sentence about a failed download would be wrong, because nothing was downloaded. */
const sentences: Partial<Record<Reason, string>> = {
  silent: too_slow,
  local: no_disk,
  no_room: no_disk,
  storage: no_disk,
  premiere: 'This video is not out yet, and its site does not say what it is. Try again when it is out.',
  live: 'This video is live or not out yet, and its site does not say what it is. Try again later.',
  processing: 'This video is not ready yet, and its site does not say what it is. Try again later.',
  members: 'This video is for members of the channel only, and its site does not show its title to others.',
  unknown: 'This address could not be read for an unknown reason. Try again later.',
}

function listOf(url: string, { title, count }: LookedList): FoundList {
  const kind = kindOf(url)
  const can_follow = (kind === 'playlist' || kind === 'channel') && feedlessOf(url) === undefined
  return { title, count, can_follow, sentence: sentenceOf(kind, title, count) }
}

type ListKind = 'playlist' | 'channel' | 'post' | 'page'

/** yt-dlp does not tell these apart, so the address decides. */
function kindOf(url: string): ListKind {
  const [feed] = knownFeedsOf(url)
  if (feed?.kind === 'playlist') return 'playlist'
  if (feed || listingsOf(url).length > 0) return 'channel'
  const { pathname } = new URL(url)
  if (/\/(playlist|album|set|series)s?(\/|$)/i.test(pathname)) return 'playlist'
  if (feedlessOf(url) === undefined) return 'page'
  // On these sites, people and channels have a name, and posts have more.
  return /^\/[^/]+\/?$/.test(pathname) ? 'channel' : 'post'
}

function sentenceOf(kind: ListKind, title: string | null, count: number | null): string {
  const videos = count === null ? undefined : count === 1 ? '1 video' : `${count} videos`
  if (kind === 'post' || kind === 'page') return `This ${kind} has ${videos ?? 'several videos'}.`
  const size = kind === 'playlist' && videos ? ` with ${videos}` : ''
  return `This is a ${kind}${size}${title === null ? '' : `: ${isolated(title.replace(/[.\s]+$/, ''))}`}.`
}
