/**
 * How a download can fail, and the failures that we detect ourselves, by name, those of the disk and of object storage included. Reading
 * the errors of yt-dlp and ffmpeg is left to `read-error.ts`.
 */
import { isIPv6 } from 'node:net'
import type { ProxyFault } from '../../net/proxy-fault.ts'
import type { Reason } from '../../schema/downloads/run.ts'
import type { Availability } from '../../schema/sources/facts.ts'

export type Failure = {
  /**
   * Decides when a person's download is tried again: `transient` soon, `rate_limited` later, `scheduled` and `outage` until it succeeds,
   * others never. `outage`: a part of this service that every download needs does not work.
   */
  kind: 'permanent' | 'operator' | 'scheduled' | 'rate_limited' | 'transient' | 'local' | 'outage'
  /** The precise reason; stored, and the key of the plan for a rule's retries. */
  reason: Reason
  /** For people: why it failed, and what they can do. */
  sentence: string
  /** The tool's own words, or ours; without paths and addresses of machines. */
  detail: string
  /** It is the answer to a person's account, so it says nothing to others. */
  with_cookies?: boolean
  /** `detail` is for the log alone: it is what a site told the operator's account. */
  is_for_log?: boolean
  /** Seconds until the video is published, where the site says so. */
  starts_in_s?: number | undefined
  /** What broke on our own side; logged, never shown. */
  cause?: string
}

/** The kind that failures of a reason have unless they say otherwise. Those of other reasons are `permanent`. */
const usual_kinds: { [reason in Reason]?: Failure['kind'] } = {
  rate_limited: 'rate_limited',
  bot_check: 'operator',
  fingerprint: 'operator',
  extraction: 'operator',
  sign_in: 'operator',
  tools: 'operator',
  live: 'scheduled',
  premiere: 'scheduled',
  processing: 'scheduled',
  silent: 'transient',
  site_trouble: 'transient',
  unavailable: 'transient',
  unknown: 'transient',
  local: 'local',
  no_room: 'local',
  quota: 'local',
  proxy: 'outage',
  storage: 'outage',
}

export const failed = (reason: Reason, sentence: string, detail = ''): Failure => ({
  kind: usual_kinds[reason] ?? 'permanent',
  reason,
  sentence,
  detail,
})

/** The answer for an address inside our network and for an unknown name: two answers would reveal which names this network has. */
export const no_public_site = 'This link does not lead to a public site. Check the link.'

export const failures = {
  /** The egress proxy refused the address. */
  refused_address: failed('site_trouble', no_public_site),
  unfit_address: failed(
    'address_refused',
    'The address of this video contains control characters, so it is not downloaded. Use another link.',
  ),
  not_a_web_address: failed('unsupported', 'This is not a web address, so there is no video to download.'),
  not_started: failed(
    'tools',
    'The download tools are not set up correctly. Ask your administrator to check the log.',
    'yt-dlp could not be started',
  ),
  silent: failed('silent', 'The site stopped sending data. The next attempt continues from there.'),
  too_long: failed(
    'too_long',
    'The download took more than three hours and was stopped. Choose a lower quality, then try again.',
  ),
  too_much: failed(
    'unsupported',
    'The site sent far more about this video than any video needs. Watch it on the site.',
  ),
  too_large: failed(
    'unsupported',
    'This video needs more memory than one download may use. Choose a lower quality, then try again.',
  ),
  live: failed('live', 'This video is live or not out yet. We check again every hour.'),
  /** A live stream has ended, and its recording is being made. */
  recording: failed(
    'processing',
    'This live stream has ended, and its recording is not ready yet. We keep checking until it is.',
  ),
  broken: failed(
    'unavailable',
    'The file did not arrive whole, so it was not kept. The next attempt begins at the start.',
  ),
  other_file: failed(
    'unavailable',
    'The site changed the file during the download. The next attempt begins at the start.',
  ),
  no_file: failed('unavailable', 'The site offered no usable version of this video.', 'yt-dlp ended without a file'),
  no_sound: failed('unsupported', 'This video has no sound. Choose a quality with a picture, then try again.'),
  no_picture: failed('unsupported', 'This has no picture. Choose sound only, then try again.'),
  not_readable: failed(
    'unsupported',
    'The site sent something that is not a video. Open the page and check that it plays there.',
  ),
  page_instead: failed(
    'unavailable',
    'The site sent a page in place of the video. Open the link and check that it plays there.',
  ),
  damaged: failed('unavailable', 'The site sent a file that cannot be played. It may be damaged.'),
  disk_full: failed('no_room', 'There is not enough space left on the disk. Delete some videos, then try again.'),
  not_writable: failed(
    'local',
    'The downloads folder is not writable. Ask your administrator to check its permissions.',
  ),
  disk_fault: failed('local', 'The disk cannot store this file. Ask your administrator to check the disk.'),
  storage_away: failed('storage', 'The storage of the downloads does not answer. We try again until it does.'),
  storage_clock: failed(
    'storage',
    'The storage of the downloads refuses the file, because its clock and ours differ. We try again until both are right.',
  ),
  storage_read_only: failed(
    'storage',
    'The disk of the downloads is read-only. We try again until files can be stored.',
  ),
  storage_refused: failed(
    'local',
    'The storage of the downloads refuses the file. Ask your administrator to check its access key.',
  ),
  unknown: failed('unknown', 'Download failed for an unknown reason.'),
}

/** Why a question that was stopped has no answer. A question is short, so one that takes long waits for the site. */
export const unanswered = ({ stopped }: { stopped?: string | undefined }) =>
  stopped === 'too_much' ? 'too_much' : 'silent'

export const proxyFailure = ({ message, cause }: ProxyFault): Failure => ({
  ...failed('proxy', message),
  ...(cause !== undefined && { cause: String(cause) }),
})

export const withoutTools = (missing: string): Failure =>
  failed('tools', 'The download tools are missing. Ask your administrator to install them.', cleaned(missing))

/**
 * Who can watch the video, as far as its failure says. Null: the failure says nothing about it. A missing page (404) is no proof
 * that the video was removed.
 */
export const availabilityOf = ({ reason, detail }: Pick<Failure, 'reason' | 'detail'>): Availability | null =>
  reason === 'sign_in' && /\bage\b|age.?restricted|inappropriate/i.test(detail)
    ? 'age_restricted'
    : (availabilities[reason] ?? null)

const availabilities: { [reason in Reason]?: Availability } = {
  members: 'members_only',
  private: 'private',
  removed: 'removed',
}

/**
 * Whether the site answered 403 for the page of a video, or for what else tells about it. Sites do so to people who are not signed in. A
 * 403 for the data of a video has other reasons, such as an address that is too old.
 */
export const isRefusedPage = ({ reason, detail }: Pick<Failure, 'reason' | 'detail'>): boolean =>
  reason === 'site_trouble' &&
  /\b(unable|failed) to download (?!video data|video subtitles|fragment)[\w ]+: http error 403\b/i.test(detail)

/**
 * The failure for an error of the file system, of object storage or of Postgres' disk, by its code; `undefined`: it is not about storage.
 */
export function diskFailure(cause: unknown): Failure | undefined {
  if (!(cause instanceof Error) || !('code' in cause)) return undefined
  const failure = disk_codes[String(cause.code)]
  return failure && { ...failure, detail: cleaned(cause.message) }
}

const disk_codes: Record<string, Failure> = {
  ENOSPC: failures.disk_full,
  EDQUOT: failures.disk_full,
  EACCES: failures.not_writable,
  EPERM: failures.not_writable,
  EROFS: failures.storage_read_only,
  EIO: failures.disk_fault,
  EFBIG: failures.disk_fault,
  ENAMETOOLONG: failures.disk_fault,
  // A network share or a disk that was lost.
  ESTALE: failures.storage_away,
  ENOTCONN: failures.storage_away,
  ENODEV: failures.storage_away,
  ENXIO: failures.storage_away,
  // Our own codes, in `store/disk.ts` and `store/bucket/faults.ts`.
  STORAGE_AWAY: failures.storage_away,
  STORAGE_CLOCK: failures.storage_clock,
  STORAGE_READ_ONLY: failures.storage_read_only,
  STORAGE_REFUSED: failures.storage_refused,
  // Postgres' own code for a full disk.
  '53100': failures.disk_full,
}

/**
 * A tool's output as it is stored and shown: one line of at most 1,000 characters, without control characters, paths or addresses of
 * machines.
 */
export const cleaned = (text: string): string =>
  text
    .replace(/\u001b\[[0-9;]*[A-Za-z]/g, '')
    .replace(/[\u0000-\u001f\u007f-\u009f\s]+/g, ' ')
    .replace(/\bfile:\/\/\S+/gi, '…')
    .replace(/(?<![\w/.]|:(?=\/\/))(?:[A-Za-z]:)?[\\/](?:[^\s'":\\/]+[\\/])+[^\s'":\\/]*/g, '…')
    .replace(/[0-9a-f:.]{2,}/gi, withoutIPv6)
    .replace(/\b\d{1,3}(\.\d{1,3}){3}(:\d+)?\b/g, '…')
    .trim()
    .slice(0, 1000)
    .replace(/[\ud800-\udbff]$/, '')

/** A colon before the address, or a dot after it, belongs to the sentence. */
const withoutIPv6 = (run: string) => (run.length < 50 && isIPv6(run.replace(/^:(?!:)|(?<!:):$|[.]$/g, '')) ? '…' : run)
