/** Merges imported viewings into those of one person: a video that was marked stays marked, and of two marks the newer one counts. */
import { jsonText } from '../../runtime/json.ts'
import type { ArchiveViewing } from '../../schema/imports/archive.ts'
import type { UserId } from '../../schema/values/user.ts'
import { onlyRow, type Piece, type Queryable } from '../postgres/client.ts'
import { areChanges, assigned, recordOf } from '../postgres/column-lists.ts'
import { fieldsOf, viewing_fields } from '../rows/archive-fields.ts'

/**
 * `marked`: videos that were unwatched before; `marked_here`: how many of these are in the library. `no_room`: new viewings that were left
 * out.
 */
type MergedViewings = {
  marked: number
  marked_here: number
  positions: number
  viewings_added: number
  no_room: number
}

/**
 * Videos that are not in the library get a viewing too, so that they are watched when they appear. `room`: how many viewings may be
 * added. Each video at most once. Times in the future become now.
 */
export async function mergeViewings(
  tx: Queryable,
  user_id: UserId,
  viewings: ArchiveViewing[],
  room: number,
): Promise<MergedViewings> {
  return onlyRow(tx<MergedViewings[]>`
    with sent as (
      select ${fieldsOf(tx, viewing_fields, Object.fromEntries(times.map(name => [name, past(tx, name)])))}
      from   json_to_recordset(${jsonText(viewings)}::text::json) as given (${recordOf(tx, viewing_fields)})
    ),
    given as materialized (
      select ${fieldsOf(tx, viewing_fields, { forgotten_at: unlessWatchedLater(tx, tx`forgotten_at`, tx`watched_at, seen_at`) })}
      from   sent
    ),
    placed as materialized (
      select given.*, before.video_id is null as is_new, before.seen_at as seen_before, before.position_seconds as position_before,
             row_number() over (partition by before.video_id is null order by given.video_id) as place
      from   given
      left join lateral (
        select *
        from   viewings
        where  viewings.user_id = ${user_id} and viewings.video_id = given.video_id
        offset 0
      ) before on true
    ),
    saved as (
      insert into viewings as known (user_id, ${fieldsOf(tx, viewing_fields)}, imported_at)
      select   ${user_id}, ${fieldsOf(tx, viewing_fields)}, now()
      from     placed
      where    not is_new or place <= ${room}
      order by video_id
      on conflict on constraint viewings_pkey do update
      set    ${assigned(tx, merged(tx))}, imported_at = excluded.imported_at
      where  ${areChanges(tx, 'known', merged(tx))}
      returning video_id, seen_at, position_seconds
    ),
    changed as (
      select saved.video_id, saved.seen_at is not null and seen_before is null as is_marked,
             saved.position_seconds is distinct from position_before           as is_moved
      from   saved
      join   placed using (video_id)
    )
    select (select count(*) from changed where is_marked) as marked,
           (select count(*)
            from   changed
            where  is_marked
            and    exists (
                     select from video_entries entry
                     where  entry.user_id = ${user_id} and entry.video_id = changed.video_id)) as marked_here,
           (select count(*) from changed where is_moved) as positions,
           (select count(*) from placed where is_new and place <= ${room}) as viewings_added,
           (select count(*) from placed where is_new and place > ${room})  as no_room`)
}

const times = Object.keys(viewing_fields).filter(name => name.endsWith('_at'))

/** What a known viewing becomes by `excluded`. */
const merged = (tx: Queryable): Record<Exclude<keyof ArchiveViewing, 'video_id'>, Piece> => ({
  seen_at: tx`greatest(known.seen_at, excluded.seen_at)`,
  position_seconds: newer(tx, 'position_seconds'),
  duration_seconds: newer(tx, 'duration_seconds'),
  watched_at: tx`greatest(known.watched_at, excluded.watched_at)`,
  dismissed_at: tx`case when ${isNewer(tx)} then excluded.dismissed_at else known.dismissed_at end`,
  later_at: laterOne(tx, 'later_at', 'not_for_me_at'),
  not_for_me_at: laterOne(tx, 'not_for_me_at', 'later_at'),
  forgotten_at: forgottenAt(tx),
})

/** Null stays null; "least" would make it now. */
const past = (tx: Queryable, column: string) =>
  tx`case when ${tx(column)} is not null then least(${tx(column)}, now()) end`

/** Whether the imported viewing was played or dismissed later than the known one. */
const isNewer = (tx: Queryable) => tx`
  coalesce(greatest(excluded.watched_at, excluded.dismissed_at) > greatest(known.watched_at, known.dismissed_at),
           greatest(known.watched_at, known.dismissed_at) is null)`

const newer = (tx: Queryable, column: 'position_seconds' | 'duration_seconds') => tx`
  case when ${isNewer(tx)}
       then coalesce(excluded.${tx(column)}, known.${tx(column)})
       else coalesce(known.${tx(column)}, excluded.${tx(column)}) end`

/** A video that was watched after it was removed from the history is there again. `watched`: when it was, as a list. */
const unlessWatchedLater = (tx: Queryable, forgotten_at: Piece, watched: Piece) => tx`
  case when ${forgotten_at} >= coalesce(greatest(${watched}), '-infinity') then ${forgotten_at} end`

const forgottenAt = (tx: Queryable) =>
  unlessWatchedLater(
    tx,
    tx`greatest(known.forgotten_at, excluded.forgotten_at)`,
    tx`known.watched_at, excluded.watched_at, known.seen_at, excluded.seen_at`,
  )

type Mark = 'later_at' | 'not_for_me_at'
/** The newest time of this mark; null if the other mark is newer, because a video has only one of the two. */
const laterOne = (tx: Queryable, mark: Mark, other: Mark) => tx`
  case when greatest(known.${tx(mark)}, excluded.${tx(mark)})
            >= coalesce(greatest(known.${tx(other)}, excluded.${tx(other)}), '-infinity')
       then greatest(known.${tx(mark)}, excluded.${tx(mark)}) end`
