/**
 * Finds where in the found videos the words of a search are said: the best moments of each, with the lines that a result shows. Lines come
 * from the transcripts, because the moments have only words.
 */
import { type Highlighted, type Moment, max_moments } from '../../schema/search/search.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { Queryable } from '../postgres/client.ts'
import { folded } from '../words/folded.ts'
import { isMarked, lettersMarked, piecesOf, wholeMarked } from '../words/highlights.ts'
import type { Words } from '../words/words.ts'
import { momentsIn } from './results.ts'
import { type Moment as Cut, linesFrom, momentsOf } from './transcripts.ts'

type Place = { video_id: string; lines: string }
type FoundMoment = { video_id: string; moment: Cut }

/** Of each video the best first. Videos in which the words are not said are missing. */
export async function momentsFor(
  tx: Queryable,
  user_id: UserId,
  words: Words,
  video_ids: string[],
): Promise<Map<string, Moment[]>> {
  const places = await placesOf(tx, user_id, words, video_ids)
  const found = places.flatMap(({ video_id, lines }) => {
    // The last line may be cut off.
    const [moment] = momentsOf(linesFrom(lines).slice(0, lines.length < max_letters_searched ? undefined : -1))
    return moment ? [{ video_id, moment }] : []
  })
  const marked = await markedLines(tx, words, found)
  const moments = new Map<string, Moment[]>()
  for (const [at, { video_id, moment }] of found.entries()) {
    const shown = bestOf(moment, marked[at] ?? [])
    const others = moments.get(video_id) ?? []
    // The end of a moment is the beginning of the next one.
    const is_new = shown && others.every(({ start_seconds }) => start_seconds !== shown.start_seconds)
    if (is_new && others.length < max_moments) moments.set(video_id, [...others, shown])
  }
  return moments
}

/**
 * Letters of a moment in which the line to show is searched. A usual moment has about 500 letters; of a longer moment, the beginning is
 * searched.
 */
const max_letters_searched = 2500
/** Of very many moments with the words, the first ones are compared: a word of every moment says little about any. */
const max_moments_ranked = 24

/** The lines from the beginning of each moment on. One more than is shown, because two may lead to the same line. */
const placesOf = async (tx: Queryable, user_id: UserId, { said }: Words, video_ids: string[]): Promise<Place[]> =>
  said === undefined || video_ids.length === 0
    ? []
    : tx<Place[]>`
        select   best.video_id,
                 substr(transcript.lines,
                        position(E'\n' || best.start_seconds || ' ' in transcript.lines), ${max_letters_searched}) as lines
        from     (select video_id, E'\n' || lines as lines
                  from   transcripts
                  where  user_id = ${user_id} and video_id = any(${video_ids})
                  offset 0) transcript
        cross join lateral (
          select   ranked.*, ts_rank(words, ${said.query}::tsquery) as rank
          from     (
            select   *
            from     ${momentsIn(tx, user_id, tx`transcript`)} moment
            where    ${said.match(tx`moment`)}
            limit    ${max_moments_ranked}
          ) ranked
          order by rank desc, start_seconds
          limit    ${max_moments + 1}
        ) best
        order by best.video_id, best.rank desc, best.start_seconds`

/** The lines of each moment, in pieces. */
async function markedLines(
  tx: Queryable,
  { marked_by, pieces }: Words,
  found: FoundMoment[],
): Promise<Highlighted[][]> {
  const texts = found.map(({ moment }) => moment.lines.map(({ text }) => text).join('\n'))
  if (marked_by === undefined || texts.length === 0)
    return texts.map(text => text.split('\n').map(line => lettersMarked(line, pieces)))
  const rows = await tx<{ marked: string }[]>`
    select   ${wholeMarked(tx, tx`said.text`, marked_by)} as marked
    from     unnest(${texts}::text[]) with ordinality as said (text, place)
    order by place`
  return rows.map(({ marked }, at) => {
    const lines = found[at]?.moment.lines.map(({ text }) => text) ?? []
    if (!isMarked(marked)) return lines.map(line => lettersMarked(line, pieces))
    const marked_lines = marked.split('\n')
    return lines.map((line, nth) => piecesOf(line, marked_lines[nth] ?? ''))
  })
}

/** Begins with the line after which most of the words follow soon. `undefined`: no line has any. */
function bestOf({ lines }: Cut, marked: Highlighted[]): Moment | undefined {
  const scores = marked.map((_, at) =>
    wordsIn(marked[at]).size === 0 ? 0 : wordsIn(marked.slice(at, at + 3).flat()).size,
  )
  const best = scores.indexOf(Math.max(...scores, 1))
  const start_seconds = lines[best]?.start_seconds
  if (start_seconds === undefined) return undefined
  const highlighted = shortened(marked.slice(best).flatMap((line, at) => (at === 0 ? line : [space, ...line])))
  return { start_seconds, text: highlighted.map(({ text }) => text).join(''), highlighted }
}

const space = { text: ' ', match: false }

const wordsIn = (pieces: Highlighted = []) =>
  new Set(pieces.flatMap(({ text, match }) => (match ? folded(text).toLowerCase() : [])))

/** About two lines of a page. */
const max_letters_shown = 200

function shortened(pieces: Highlighted): Highlighted {
  const shown: Highlighted = []
  let left = max_letters_shown
  for (const { text, match } of pieces) {
    if (text.length > left)
      return [...shown, { text: `${text.slice(0, left).toWellFormed().trimEnd()} …`, match: false }]
    left -= text.length
    shown.push({ text, match })
  }
  return shown
}
