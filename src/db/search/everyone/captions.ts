/** Plans over all people whose captions are fetched next, of videos without subtitles on disk, and which subtitles on disk are read. */
import type { DownloadJob, TranscriptJob } from '../../../schema/service/jobs.ts'
import type { UserId } from '../../../schema/values/user.ts'
import type { Everyone } from '../../everyone.ts'
import { eachValue, type Piece, type Queryable } from '../../postgres/client.ts'
import { type KnownHosts, queueAtHosts } from '../../queue/host-jobs.ts'
import { captions_prefix } from '../../queue/host-pauses.ts'
import { addTranscript } from '../../queue/jobs.ts'
import { hasNoSubtitles, newestOf } from '../transcripts.ts'

/** Videos of one person in an hour. Many channels together have a few new ones an hour; the rest is for older ones. */
const max_videos_per_hour = 12
/** A person without any such video is looked at again after this time, because finding none reads all their videos. */
const pause_without_videos_s = 900
/** People of whom one query looks for the next video. */
export const max_people_asked = 50

/** The hosts whose captions wait, for everyone or for this person. */
const pausedFor = (sql: Queryable, user_id: Piece) => sql`
  array(
    select regexp_replace(host, ${`^${captions_prefix}`}, '')
    from   host_pauses
    where  until > now() and (host_pauses.user_id is null or host_pauses.user_id = ${user_id}))`

/** A video without captions is asked for once more, a day later: automatic ones come late. */
const isWanted = (sql: Queryable) => sql`
  ${hasNoSubtitles(sql)}
  and (
    select count(*)
    from   transcripts known
    where  known.user_id = entry.user_id and known.video_id = entry.video_id
    and    (known.lines is null or octet_length(known.lines) > 0 or known.asks >= 2 or known.asked_at > now() - interval '1 day')) = 0`

/**
 * The people who have waited longest. People without a video at a host that can be asked are put back, and people who had a turn wait
 * behind all others, so everyone gets a turn in time. Locked people have no turn.
 */
const dueIn = (sql: Queryable) => sql`(
  select   id, captions_at
  from     users
  where    captions_of_all and captions_at <= now() and locked_at is null
  order by captions_at, id
  limit    ${max_people_asked})`

/** Queues a job for each host that has the next video of someone whose turn it is. Returns how many were queued. */
export async function queueCaptions(sql: Everyone, known: KnownHosts): Promise<number> {
  const due = await sql<{ host: string; turn: number }[]>`
    with due as materialized (select * from ${dueIn(sql)} due),
    next as materialized (
      select    due.id, found.video_host as host
      from      due
      left join lateral (
        select entry.video_host
        from   ${newestOf(sql, sql`due.id`)} entry
        where  entry.video_host is not null and entry.video_host <> all (${pausedFor(sql, sql`due.id`)})
        and    ${isWanted(sql)}
        limit  1
      ) found on true
    ),
    without as (
      update users
      set    captions_at = now() + ${pause_without_videos_s} * interval '1 second'
      from   next
      where  users.id = next.id and next.host is null
    )
    -- Each person has one host here.
    select distinct host, 1 as turn from next where host is not null`
  return queueAtHosts(sql, 'captions', due, known)
}

/** `wanted_by`: all who want the captions of the video at this address, the person whose turn it was first. */
type DueCaptions = {
  video_url: string
  video_id: string
  wanted_by: [UserId, ...UserId[]]
}

/**
 * Takes the turn of the person who has waited longest, for the newest of their videos at this host. `undefined`: no one wants any there.
 */
export async function takeDueCaptions(sql: Everyone, host: string): Promise<DueCaptions | undefined> {
  const [next] = await sql<(DownloadJob & { video_url: string })[]>`
    with next as materialized (
      select     due.id as user_id, found.video_id, found.video_url
      from       ${dueIn(sql)} due
      cross join lateral (
        select entry.video_id, entry.video_url
        from   ${newestOf(sql, sql`due.id`)} entry
        where  entry.video_host = ${host} and ${isWanted(sql)}
        limit  1
      ) found
      where      ${host} <> all (${pausedFor(sql, sql`due.id`)})
      order by   due.captions_at, due.id
      limit      1
    )
    update users
    set    captions_at = now() + ${3600 / max_videos_per_hour} * interval '1 second'
    from   next
    where  users.id = next.user_id
    returning next.*`
  if (!next) return undefined
  const { user_id, video_id, video_url } = next
  // The whole address is compared too, because an id names a video only on its own site.
  const all = await eachValue<UserId>(sql`
    select distinct entry.user_id
    from   users owner
    join   video_entries entry on entry.user_id = owner.id
    where  owner.captions_of_all and entry.video_id = ${video_id} and entry.video_url = ${video_url} and ${isWanted(sql)}`)
  return { video_url, video_id, wanted_by: [user_id, ...all.filter(other => other !== user_id)] }
}

/** So many are read within a few seconds, so that they delay nothing. The next minute continues. */
const max_unread_transcripts = 300

/**
 * Queues subtitles that were not read yet: from before transcripts existed, or because their job failed. A video whose subtitles cannot be
 * read now, for instance because the storage is away, is queued again in a later minute. Each minute takes any of them, so that such videos
 * keep no others waiting. The subtitles of a video in the bin wait for it there.
 */
export async function queueUnread(sql: Everyone): Promise<void> {
  const unread = await sql<TranscriptJob[]>`
    select   user_id, video_id
    from     transcripts unread
    where    lines is null
    and      exists (
               select from video_entries entry
               where  entry.user_id = unread.user_id and entry.video_id = unread.video_id)
    order by random()
    limit    ${max_unread_transcripts}`
  for (const job of unread) await addTranscript(sql, job, { is_old: true })
}
