/**
 * What is said in the videos of one user: the lines of a transcript, and the words of its moments, by which it is found. A moment lasts
 * about thirty seconds. It depends on nothing but the lines, so the database keeps no text of moments. `everyone/captions.ts` decides when
 * captions are asked for; here is of which videos.
 */
import {
  type CaptionProgress,
  forced_pattern,
  type Transcript,
  type TranscriptAbout,
  type TranscriptLine,
} from '../../schema/sources/subtitles.ts'
import type { UserId } from '../../schema/values/user.ts'
import { firstRow, firstValue, hasAny, onlyRow, type Piece, type Queryable, type Sql } from '../postgres/client.ts'
import { heldRow } from '../rows/video-columns.ts'
import { isShort } from '../videos/video-filter.ts'

export function transcriptsOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`

  return {
    /** `undefined`: the video has none. */
    async find(video_id: string): Promise<Transcript | undefined> {
      const [row] = await sql<{ language: string; automatic: boolean; lines: string }[]>`
        select language, is_automatic as automatic, lines
        from   transcripts
        where  ${mine} and video_id = ${video_id} and octet_length(lines) > 0
        -- The transcript of a video in the bin waits for it there.
        and    exists (select from video_entries where ${mine} and video_id = ${video_id})`
      return row && { ...row, lines: linesFrom(row.lines) }
    },

    /** The transcript without its lines, which can be long. Also while the subtitles of the video wait to be read. */
    about: (video_id: string): Promise<TranscriptAbout | undefined> =>
      firstRow(sql<TranscriptAbout[]>`
        select language, is_automatic as automatic, lines is not null as is_read
        from   transcripts
        where  ${mine} and video_id = ${video_id} and (lines is null or octet_length(lines) > 0)`),

    /** Replaces what was there. Without lines, it is recorded that there are none. Does nothing if there is no such video. */
    async save(video_id: string, { language, automatic, lines }: Transcript): Promise<void> {
      await sql.begin(async tx => {
        const is_saved = await hasAny(tx`
          insert into transcripts as known (user_id, video_id, language, is_automatic, lines)
          select ${user_id}, video_id, ${language}, ${automatic}, ${textOf(lines)}
          ${heldRow(tx, user_id, video_id)}
          on conflict on constraint transcripts_pkey do update
          set    language = excluded.language, is_automatic = excluded.is_automatic, lines = excluded.lines`)
        if (!is_saved) return
        await replaceMoments(tx, { user_id, video_id }, lines)
      })
    },

    /** Records that the site is asked for the captions of a video. */
    async recordAsked(video_id: string): Promise<void> {
      await sql`
        insert into transcripts as known (user_id, video_id, lines, asked_at, asks)
        select ${user_id}, video_id, '', now(), 1
        ${heldRow(sql, user_id, video_id)}
        on conflict on constraint transcripts_pkey do update
        set    asked_at = now(), asks = known.asks + 1`
    },

    /** The site did not answer, so it can be asked again. */
    async forgetAsked(video_id: string): Promise<void> {
      await sql`
        update transcripts
        set    asked_at = null, asks = asks - 1
        where  ${mine} and video_id = ${video_id} and asks > 0`
    },

    /** How far captions have been asked for. Reads up to 10,000 videos. */
    progress: (): Promise<CaptionProgress> =>
      // Videos whose captions are known from elsewhere count as asked for.
      onlyRow(sql<CaptionProgress[]>`
        select count(*) as videos, count(known.video_id) as asked
        from   (
          select distinct entry.video_id
          from   ${newestOf(sql, sql`${user_id}`)} entry
          where  entry.video_host is not null and ${hasNoSubtitles(sql)}
        ) wanted
        left join transcripts known
        on     known.user_id = ${user_id} and known.video_id = wanted.video_id
        and    (known.lines is null or octet_length(known.lines) > 0 or known.asks > 0)`),

    /** The language of the sound, as the site said; null: it did not. */
    async spokenIn(video_id: string): Promise<string | null> {
      const language = await firstValue<string | null>(sql`
        select site_facts->>'language' as language
        from   video_entries
        where  ${mine} and video_id = ${video_id}
        order by id
        limit  1`)
      return language ?? null
    },
  }
}

/**
 * Letters of a moment that are indexed; a usual moment has 500. A list of words may hold a megabyte, and a site may say that all of it is
 * said in one second.
 */
const max_letters_of_moment = 10_000

export type Moment = { start_seconds: number; lines: TranscriptLine[] }

/** Seconds from the first to the last line of a moment. */
const length_s = 30
/** A moment ends with the beginning of the next one, so that a sentence across the border is found too. */
const overlap_words = 12

export function momentsOf(lines: TranscriptLine[]): Moment[] {
  const moments: Moment[] = []
  let first = 0
  while (first < lines.length) {
    const start_seconds = lines[first]?.start_seconds ?? 0
    let end = first + 1
    while (end < lines.length && (lines[end]?.start_seconds ?? 0) < start_seconds + length_s) end += 1
    moments.push({ start_seconds, lines: [...lines.slice(first, end), ...beginningOf(lines, end)] })
    first = end
  }
  return moments
}

/** The next lines, cut after some words. */
function beginningOf(lines: TranscriptLine[], from: number): TranscriptLine[] {
  const beginning: TranscriptLine[] = []
  let left = overlap_words
  for (let at = from; at < lines.length && left > 0; at++) {
    const { start_seconds, text } = lines[at] ?? { start_seconds: 0, text: '' }
    const words = text.split(' ').slice(0, left)
    left -= words.length
    // Scripts without spaces have no words to count.
    beginning.push({ start_seconds, text: words.join(' ').slice(0, 100).toWellFormed() })
    if (text.length > 100) break
  }
  return beginning
}

/** Makes the moments of a transcript anew, in the transaction that holds its row. */
export async function replaceMoments(
  tx: Queryable,
  { user_id, video_id }: { user_id: UserId; video_id: string },
  lines: TranscriptLine[],
): Promise<void> {
  const moments = momentsOf(lines)
  await tx`delete from moments where user_id = ${user_id} and video_id = ${video_id}`
  await tx`
    insert into moments (user_id, video_id, start_seconds, words)
    select ${user_id}, ${video_id}, start_seconds, said_words(text)
    from   unnest(${moments.map(({ start_seconds }) => start_seconds)}::int[],
                  ${moments.map(({ lines }) =>
                    lines
                      .map(({ text }) => text)
                      .join(' ')
                      .slice(0, max_letters_of_moment)
                      .toWellFormed(),
                  )}::text[]) as moment (start_seconds, text)
    on conflict do nothing`
}

/** The text in which the database keeps the lines of a transcript. It is half as long as JSON. No line has a line break. */
export const textOf = (lines: TranscriptLine[]): string =>
  lines.map(({ start_seconds, text }) => `${start_seconds} ${text}`).join('\n')

export const linesFrom = (text: string): TranscriptLine[] =>
  text === ''
    ? []
    : text
        .trimStart()
        .split('\n')
        .map(line => {
          const space = line.indexOf(' ')
          return { start_seconds: Number(line.slice(0, space)), text: line.slice(space + 1) }
        })

/**
 * Captions are fetched of the newest videos of a person. Reading these takes up to half a second; twelve an hour reach all in five weeks.
 */
const max_videos_with_captions = 10_000

/** The newest videos of one person, which are read one by one: the limit also keeps the planner from sorting all of them. */
export const newestOf = (sql: Queryable, user_id: Piece) => sql`(
  select   *
  from     video_entries
  where    user_id = ${user_id}
  order by sort_at desc, id desc
  limit    ${max_videos_with_captions})`

/**
 * A condition on a row `entry`: captions of the video are wanted if none are known. A download that runs or waits may bring some. Counts,
 * because Postgres would make `not exists` a join of all rows.
 */
export const hasNoSubtitles = (sql: Queryable) => sql`
  (entry.standing is null or entry.standing = 'failed' or (entry.standing = 'done'
    and not exists (select from unnest(entry.subtitles) as name where name !~ ${forced_pattern})))
  and coalesce(entry.availability, 'public') in ('public', 'unlisted')
  and coalesce(entry.live_status, 'none') in ('none', 'was_live')
  and (
    select count(*)
    from   viewings viewing
    where  viewing.user_id = entry.user_id and viewing.video_id = entry.video_id and viewing.not_for_me_at is not null) = 0
  and not ${isShort(sql, sql`entry`)}`
