/**
 * Finds what others have or fetch of the same video, and who waits for it. The rows of those who have a file are the only list of what
 * can be shared.
 */
import type { Quality } from '../../../schema/downloads/quality.ts'
import type { DownloadJob } from '../../../schema/service/jobs.ts'
import type { FileFacts } from '../../../schema/sources/facts.ts'
import { languagePattern } from '../../../schema/sources/subtitle-languages.ts'
import { forced_pattern, max_subtitles } from '../../../schema/sources/subtitles.ts'
import type { UserId } from '../../../schema/values/user.ts'
import type { FileWords } from '../../../schema/videos/video.ts'
import type { Everyone } from '../../everyone.ts'
import { eachValue, hasAny, onlyValue, type Piece, type Queryable } from '../../postgres/client.ts'
import { workerJobs } from '../../postgres/worker-tables.ts'
import { flagsSkippedNow } from '../../queue/flags.ts'
import { queueAgain, type Requester, requesterOf } from '../../queue/queue.ts'
import { lockVideo } from '../../queue/same-video.ts'
import { filmSize } from '../../rows/sound-rows.ts'
import type { SiteFacts } from '../run-types.ts'

/**
 * The file that one person wants. `words_hash`: the digest of the words of the person's own entry. `languages`: of subtitles, the one that
 * they prefer first.
 */
export type WantedFile = SoughtFile & { words_hash: string; languages: string[] }
type SoughtFile = DownloadJob & { address_hash: string; quality: Quality }

/** A file of another download. `words_hash`: `null`: the file contains only what its site says. */
export type SharedFile = {
  user_id: UserId
  video_id: string
  download_path: string
  file_size: number
  subtitles: string[]
  words_hash: string | null
  /** What the site and the file said when the file was fetched. The other facts of that person's row may be what their own feed says. */
  site_facts: (Omit<SiteFacts, 'published_at'> & { published_at: string | null; in_file?: FileFacts }) | null
  /** Differs for each new file of the same download: the time of its completion, as text because a Date has no microseconds. */
  version: string
}

/** A few files, because one may be missing on the disk. In no order. */
export const sharedFiles = (sql: Everyone<Queryable>, wanted: WantedFile) => sql<SharedFile[]>`
  select user_id, video_id, download_path, ${filmSize(sql)} as file_size, subtitles, words_hash, site_facts,
         download_completed_at::text as version
  from   video_entries entry
  where  ${isShared(sql, wanted)}
  limit  5`

/** Rows `entry` of other downloads that have this file. A video that its site has closed is given to no one. */
const isShared = (sql: Queryable, wanted: SoughtFile & Partial<WantedFile>) => sql`
  entry.address_hash = ${wanted.address_hash} and entry.download_quality = ${wanted.quality} and entry.standing = 'done'
  and (entry.words_hash is null or entry.words_hash = ${wanted.words_hash ?? null})
  and ${isOpen(sql)} and ${hasLanguage(sql, wanted.languages)}
  and (entry.user_id, entry.video_id) <> (${wanted.user_id}, ${wanted.video_id})`

/**
 * Condition: the file of a row `entry` has the language of subtitles that the person prefers most, as far as its site had it. A file with
 * fewer subtitles than a download takes has all of its site.
 */
const hasLanguage = (sql: Queryable, [preferred]: string[] = []) =>
  preferred === undefined
    ? sql`true`
    : sql`
  (cardinality(entry.subtitles) < ${max_subtitles}
   or exists (
     select from unnest(entry.subtitles) as name
     where  name ~* ${languagePattern(preferred)} and name !~ ${forced_pattern}))`

const isOpen = (sql: Queryable) => sql`
  (entry.availability is null or entry.availability not in ('members_only', 'private', 'removed'))`

/** Whether the file at the path is still the one that was found. Ask after it was copied. */
export const isUnchanged = (sql: Everyone<Queryable>, { user_id, video_id, ...file }: SharedFile): Promise<boolean> =>
  hasAny(sql`
    select from video_entries
    where  user_id = ${user_id} and video_id = ${video_id} and standing = 'done'
    and    download_path = ${file.download_path} and download_completed_at::text = ${file.version}
    limit  1`)

/**
 * Whether another download fetches the same file now, so that this one waits for its file. A download waits for at most a day after it was
 * requested. Otherwise a person could delay it for ever by starting and cancelling the same.
 */
export const isBeingFetched = (tx: Everyone<Queryable>, wanted: SoughtFile): Promise<boolean> =>
  onlyValue<boolean>(tx`
    select exists (
             select from video_entries entry
             where  address_hash = ${wanted.address_hash} and download_quality = ${wanted.quality} and standing = 'running'
             and    not download_copied and (user_id, video_id) <> (${wanted.user_id}, ${wanted.video_id}))
           and not exists (select from video_entries entry where ${isShared(tx, wanted)})
           and exists (
             select from video_entries
             where  user_id = ${wanted.user_id} and video_id = ${wanted.video_id}
             and    download_requested_at between now() - interval '1 day' and now()) as is_being_fetched`)

/** A waiting download, with the words of its entry. */
export type WaitingVideo = FileWords & {
  user_id: UserId
  video_id: string
  quality: Quality
  subtitle_languages: string[]
}

/** Returns the named downloads of one person that wait, and whose video is open as far as is known. */
export const waitingOf = (sql: Everyone<Queryable>, user_id: UserId, video_ids: string[]) =>
  waiting(sql, sql`entry.user_id = ${user_id} and entry.video_id = any(${video_ids})`)

/** The downloads of all people that wait for the same video, the next ones after `last`. */
export const waitingFor = (
  sql: Everyone<Queryable>,
  address_hash: string,
  last: DownloadJob | undefined,
  limit: number,
) =>
  waiting(
    sql,
    sql`entry.address_hash = ${address_hash}
        ${last ? sql`and (entry.user_id, entry.video_id) > (${last.user_id}, ${last.video_id})` : sql``}`,
    limit,
  )

const waiting = (sql: Queryable, which: Piece, limit: number | null = null) => sql<WaitingVideo[]>`
  select   distinct on (entry.user_id, entry.video_id)
           entry.user_id, entry.video_id, entry.video_url, entry.title, channel.title as channel_title, entry.published_at,
           entry.description, entry.thumbnail_url,
           coalesce(entry.wanted_quality, channel.quality, owner.quality) as quality,
           owner.subtitle_languages
  from     video_entries entry
  join     channels channel using (user_id, channel_id)
  join     users owner on owner.id = entry.user_id
  where    ${which} and entry.standing = 'waiting' and ${isOpen(sql)}
  order by entry.user_id, entry.video_id, entry.id
  limit    ${limit}`

/** Stores of waiting downloads what they wait for, so that the end of a run finds them. Returns the hashes of which there is a file. */
export async function recordWaiting(
  sql: Everyone,
  user_id: UserId,
  wanted: Pick<WantedFile, 'video_id' | 'address_hash'>[],
) {
  const video_ids = wanted.map(({ video_id }) => video_id)
  const hashes = wanted.map(({ address_hash }) => address_hash)
  await sql`
    update video_entries entry
    set    address_hash = wanted.address_hash
    from   unnest(${video_ids}::text[], ${hashes}::uuid[]) as wanted (video_id, address_hash)
    where  entry.user_id = ${user_id} and entry.video_id = wanted.video_id and entry.standing = 'waiting'
    and    entry.address_hash is distinct from wanted.address_hash
    and    entry.id = any(array(
             select   id
             from     video_entries
             where    user_id = ${user_id} and video_id = any(${video_ids}) and standing = 'waiting'
             order by video_id, id
             for update))`
  // In a statement of its own: a run that ends now is either seen here, or its end finds what was just stored.
  const there = await eachValue<string>(sql`
    select distinct address_hash
    from   unnest(${hashes}::uuid[]) as wanted (address_hash)
    where  exists (
             select from video_entries entry
             where  entry.address_hash = wanted.address_hash and entry.standing = 'done')`)
  return new Set(there)
}

type WaitingJob = DownloadJob & { video_host: string | null; by: Requester }

/**
 * Wakes the next download of each quality that waits for a run of this video. Only one, because the others would only wait again. Those
 * that workers skip now, because their host or person has to wait, are chosen last: they would delay the others too.
 */
export async function wakeNext(tx: Everyone<Queryable>, address_hash: string): Promise<void> {
  await lockVideo(tx, address_hash)
  const next = await tx<WaitingJob[]>`
    select   distinct on (quality) user_id, video_id, video_host, by
    from     (
      select entry.user_id, entry.video_id, entry.video_host, job.priority, job.id,
             coalesce(entry.wanted_quality, channel.quality, owner.quality) as quality,
             ${requesterOf(tx)} as by,
             job.flags ?| array(${flagsSkippedNow(tx)}) as is_skipped
      from   video_entries entry
      join   channels channel using (user_id, channel_id)
      join   users owner on owner.id = entry.user_id
      join   ${workerJobs(tx)} job on job.key = 'download:' || entry.user_id || ':' || entry.video_id
      where  entry.address_hash = ${address_hash} and entry.standing = 'waiting' and entry.download_status = 'PENDING'
      and    job.is_available and job.run_at > now()) waiting
    order by quality, is_skipped, priority, id`
  for (const job of next) await queueAgain(tx, job)
}
