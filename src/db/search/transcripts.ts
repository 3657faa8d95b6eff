/** What is said in the videos of one user: the lines, and the words of its moments, by which it is found. */
import type { CaptionProgress, Transcript, TranscriptAbout } from '../../schema/sources/subtitles.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { Sql } from '../postgres/client.ts'
import { captionProgress } from './caption-wishes.ts'
import { linesFrom, momentsOf, textOf } from './moments.ts'

export function transcriptsOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`

  return {
    /** `undefined`: the video has none. */
    async find(video_id: string): Promise<Transcript | undefined> {
      const [row] = await sql<{ language: string; automatic: boolean; lines: string }[]>`
        select language, is_automatic as automatic, lines
        from   transcripts
        where  ${mine} and video_id = ${video_id} and octet_length(lines) > 0
        -- That of a video in the bin waits for it there.
        and    exists (select from video_entries where ${mine} and video_id = ${video_id})`
      return row && { ...row, lines: linesFrom(row.lines) }
    },

    /** The same without the lines, which can be long, and also while its subtitles wait to be read. */
    async about(video_id: string): Promise<TranscriptAbout | undefined> {
      const [row] = await sql<TranscriptAbout[]>`
        select language, is_automatic as automatic, lines is not null as is_read
        from   transcripts
        where  ${mine} and video_id = ${video_id} and (lines is null or octet_length(lines) > 0)`
      return row
    },

    /** Replaces what was there. Without lines, it is noted that there are none. Does nothing if there is no such video. */
    async save(video_id: string, { language, automatic, lines }: Transcript): Promise<void> {
      const moments = momentsOf(lines)
      await sql.begin(async tx => {
        const [saved] = await tx`
          insert into transcripts as known (user_id, video_id, language, is_automatic, lines)
          select user_id, video_id, ${language}, ${automatic}, ${textOf(lines)}
          from   video_entries
          where  ${mine} and video_id = ${video_id}
          order by id
          limit  1
          -- Waits while the channel is being deleted, or the transcript would be left behind.
          for key share
          on conflict on constraint transcripts_pkey do update
          set    language = excluded.language, is_automatic = excluded.is_automatic, lines = excluded.lines
          returning true`
        if (!saved) return
        await tx`delete from moments where ${mine} and video_id = ${video_id}`
        await tx`
          insert into moments (user_id, video_id, start_seconds, words)
          select ${user_id}, ${video_id}, start_seconds, said_words(text)
          from   unnest(${moments.map(({ start_seconds }) => start_seconds)}::int[],
                        ${moments.map(({ lines }) =>
                          lines
                            .map(({ text }) => text)
                            .join(' ')
                            .slice(0, most_letters)
                            .toWellFormed(),
                        )}::text[]) as moment (start_seconds, text)
          on conflict do nothing`
      })
    },

    /** Notes that the site is asked for the captions of a video. */
    async noteAsked(video_id: string): Promise<void> {
      await sql`
        insert into transcripts as known (user_id, video_id, lines, asked_at, asks)
        select user_id, video_id, '', now(), 1
        from   video_entries
        where  ${mine} and video_id = ${video_id}
        order by id
        limit  1
        -- Waits while the channel is being deleted, or the note would be left behind.
        for key share
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
    progress: (): Promise<CaptionProgress> => captionProgress(sql, user_id),

    /** The language of the sound, as the site said; null: it did not. */
    async spokenIn(video_id: string): Promise<string | null> {
      const [row] = await sql<{ language: string | null }[]>`
        select site_facts->>'language' as language
        from   video_entries
        where  ${mine} and video_id = ${video_id}
        order by id
        limit  1`
      return row?.language ?? null
    },
  }
}

/** Of a moment, which usually has 500. A list of words may hold a megabyte, and a site may say that all is said in one second. */
const most_letters = 10_000
