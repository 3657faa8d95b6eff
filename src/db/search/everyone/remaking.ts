/** Makes the words of videos and moments again after a version of Backlot that cut texts into other words, some in each minute. */
import type { UserId } from '../../../schema/values/user.ts'
import type { Everyone } from '../../everyone.ts'
import { hasAny } from '../../postgres/client.ts'
import { linesFrom, replaceMoments } from '../transcripts.ts'

/** A video takes half a millisecond, and a transcript of an hour takes 50. */
const usual_batch = { videos: 1000, transcripts: 20 }
const batches_a_minute = 5

export async function remakeWords(sql: Everyone, batch = usual_batch): Promise<void> {
  for (let left = batches_a_minute; left > 0; left--) {
    const are_videos_left = await remakeVideos(sql, batch.videos)
    if (!are_videos_left && !(await remakeTranscripts(sql, batch.transcripts))) return
  }
}

/** Returns whether there was any. The newest are first. A text whose words stay the same is not written. */
const remakeVideos = (sql: Everyone, batch: number): Promise<boolean> =>
  hasAny(sql`
    with made as materialized (
      select   id, video_words(title, description) as words
      from     video_entries
      where    id < (select videos_before from words_to_remake)
      order by id desc
      limit    ${batch}
      for no key update
    ),
    remade as (
      update video_entries entry
      set    words = made.words
      from   made
      where  entry.id = made.id and entry.words <> made.words
    )
    update words_to_remake
    set    videos_before = (select min(id) from made)
    where  exists (select from made)
    returning true`)

/** The row of progress is deleted after the last transcript. Returns whether there was any. */
const remakeTranscripts = (sql: Everyone, batch: number): Promise<boolean> =>
  sql.begin(async tx => {
    const rows = await tx<{ user_id: UserId; video_id: string; lines: string }[]>`
      select   transcript.user_id, transcript.video_id, transcript.lines
      from     transcripts transcript
      join     words_to_remake remade
      on       (transcript.user_id, transcript.video_id) > (remade.after_user, remade.after_video)
      where    transcript.lines <> ''
      order by transcript.user_id, transcript.video_id
      limit    ${batch}
      for no key update of transcript`
    for (const row of rows) await replaceMoments(tx, row, linesFrom(row.lines))
    const last = rows.at(-1)
    await (last
      ? tx`update words_to_remake set after_user = ${last.user_id}, after_video = ${last.video_id}`
      : tx`delete from words_to_remake`)
    return last !== undefined
  })
