/** Stores what the site and the file say about the video of a finished run, for its person and for those who get a copy of the file. */
import type { FileFacts } from '../../schema/sources/facts.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { Queryable } from '../postgres/client.ts'
import type { FoundFacts } from './run-types.ts'

/** The facts that others get with a copy of the file. */
export const siteFacts = (tx: Queryable, facts: FoundFacts | undefined, in_file: FileFacts | undefined) => {
  if (!facts) return null
  const { duration_seconds, live_status, availability, published_at, published_precision, language = null } = facts
  return tx.json({
    ...{ duration_seconds, live_status, availability, published_precision, language },
    published_at: published_at?.toISOString() ?? null,
    ...(facts.chapters && { chapters: facts.chapters }),
    ...(in_file && { in_file: { ...in_file, chapters: in_file.chapters ?? null } }),
  })
}

/** The file is there, so no further look is needed. */
export const siteSays = (tx: Queryable, facts: FoundFacts) => {
  const { live_status, availability, published_at, published_precision } = facts
  // Of the words for precision, the later one in the alphabet is the better.
  const has_better_date = tx`
    (${published_at}::timestamptz is not null
     and (published_at is null or ${published_precision ?? 'exact'} > published_precision))`
  return tx`
    , live_status         = coalesce(${live_status}, live_status),
      availability        = coalesce(${availability}, case when availability in ('unlisted', 'age_restricted') then availability end),
      published_at        = case when ${has_better_date} then ${published_at} else published_at end,
      published_precision = case when ${has_better_date} then ${published_precision ?? 'exact'} else published_precision end,
      look_at             = null`
}

/** Length and chapters: those of the site, else those that are known, else those of the file. */
export const fileSays = (tx: Queryable, facts: FoundFacts | undefined, in_file: FileFacts | undefined) => tx`
    , duration_seconds    = coalesce(${facts?.duration_seconds ?? null}, duration_seconds, ${in_file?.duration_seconds ?? null}),
      chapters            = coalesce(${facts?.chapters ? tx.json(facts.chapters) : null}::jsonb, chapters,
                                     ${in_file?.chapters ? tx.json(in_file.chapters) : null}::jsonb),
      file_is_read        = ${in_file !== undefined}`

/** Stores what the file at this path says, if the person still has it. */
export const storeFileFacts = async (
  sql: Queryable,
  user_id: UserId,
  video_id: string,
  download_path: string,
  in_file: FileFacts,
): Promise<void> => {
  // `subtitles` keeps its value: the list of changes that follows begins with a comma.
  await sql`
    update video_entries
    set    subtitles = subtitles ${fileSays(sql, undefined, in_file)}
    where  user_id = ${user_id} and id = any(array(
             select id
             from   video_entries
             where  user_id = ${user_id} and video_id = ${video_id} and download_path = ${download_path}
             -- In the order of moves.ts, so that no two statements wait for each other.
             order by video_id, id
             for update))`
}
