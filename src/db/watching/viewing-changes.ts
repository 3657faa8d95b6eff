/** Which columns of a viewing change, and to what, by what has just become known about it. */
import type { Sql } from '../postgres/client.ts'

/** What has just become known about a viewing; absent: nothing. */
export type Noted = {
  position_seconds?: number | undefined
  duration_seconds?: number | undefined
  seen?: boolean | undefined
  dismissed?: boolean | undefined
  later?: boolean | undefined
  not_for_me?: boolean | undefined
}

/** The values of a new viewing. */
export const valuesOf = (
  sql: Sql,
  { position_seconds, duration_seconds, seen, dismissed, later, not_for_me }: Noted,
) => sql`
  ${position_seconds ?? null}::int,
  ${duration_seconds ?? null}::int,
  case when ${seen === true} then now() end,
  case when ${position_seconds !== undefined} then now() end,
  case when ${dismissed === true} then now() end,
  case when ${later === true} then now() end,
  case when ${not_for_me === true} then now() end`

/**
 * The changes of a known viewing. A watched video keeps the time when it was watched. Playing a dismissed video offers it again. A video
 * that is not for this person keeps its place on Watch later, which does not count until it is shown again.
 */
export const changesOf = (sql: Sql, { position_seconds, seen, dismissed, later, not_for_me }: Noted) => sql`
  position_seconds = coalesce(excluded.position_seconds, known.position_seconds),
  duration_seconds = coalesce(excluded.duration_seconds, known.duration_seconds),
  watched_at       = coalesce(excluded.watched_at, known.watched_at),
  seen_at          = ${seen === false ? sql`null` : sql`coalesce(known.seen_at, excluded.seen_at)`},
  dismissed_at     = ${
    dismissed === undefined && position_seconds === undefined ? sql`known.dismissed_at` : sql`excluded.dismissed_at`
  },
  later_at         = ${changeOf(sql, 'later_at', later)},
  not_for_me_at    = ${changeOf(sql, 'not_for_me_at', later === true ? false : not_for_me)}`

/** A mark that is set again keeps its time. `undefined`: it stays as it is. */
const changeOf = (sql: Sql, column: 'later_at' | 'not_for_me_at', is_set: boolean | undefined) => {
  if (is_set === false) return sql`null`
  return is_set ? sql`coalesce(known.${sql(column)}, excluded.${sql(column)})` : sql`known.${sql(column)}`
}
