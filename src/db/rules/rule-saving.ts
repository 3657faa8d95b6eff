/**
 * The columns that saving a rule writes, as parts of queries: `rules.ts` saves them, and `rule-judging.ts` shows what they would be. Both
 * name a given rule `excluded` and the stored one `known`.
 */
import type { Rule } from '../../schema/rules/rule.ts'
import type { Piece, Sql } from '../postgres/client.ts'

const conditions = [
  'title_words',
  'without_words',
  'title_pattern',
  'skip_shorts',
  'min_seconds',
  'max_seconds',
  'live',
  'also_days',
  'include_older',
] as const
const limits = ['most_per_day', 'keep_newest', 'keep_days', 'delete_watched_days', 'keep_newest_watched'] as const
const times = ['on_since', 'also_since', 'judge_from', 'judge_to'] as const

/** The names, in the order of `givenRule` and `savedColumns`. */
export const givenColumns = (sql: Sql): Piece =>
  listed(sql, [...conditions, ...limits, ...times, 'apply_at'], column => sql`${sql(column)}`)

/** One row: the rule, as it would be for a channel without one. */
export const givenRule = (sql: Sql, rule: Rule): Piece => sql`
  select ${rule.title_words}::text[]          as title_words,
         ${rule.without_words}::text[]        as without_words,
         ${rule.title_pattern}::text          as title_pattern,
         ${rule.skip_shorts}::boolean         as skip_shorts,
         ${rule.min_seconds}::int             as min_seconds,
         ${rule.max_seconds}::int             as max_seconds,
         ${rule.live}::text                   as live,
         ${rule.also_days}::int               as also_days,
         ${rule.include_older}::boolean       as include_older,
         ${rule.most_per_day}::int            as most_per_day,
         ${rule.keep_newest}::int             as keep_newest,
         ${rule.keep_days}::int               as keep_days,
         ${rule.delete_watched_days}::int     as delete_watched_days,
         ${rule.keep_newest_watched}::int     as keep_newest_watched,
         ${ifTrue(sql, rule.auto_download, sql`now()`)} as on_since,
         ${ifTrue(sql, rule.auto_download && rule.also_days !== null, sql`now() - ${rule.also_days}::int * interval '1 day'`)} as also_since,
         ${ifTrue(sql, reachesBack(rule), sql`timestamptz 'infinity'`)} as judge_from,
         ${ifTrue(sql, reachesBack(rule), sql`timestamptz '-infinity'`)} as judge_to,
         ${ifTrue(sql, reachesBack(rule), sql`now()`)} as apply_at`

/** Whether videos that are there already are to be judged. */
const reachesBack = ({ auto_download, also_days, include_older }: Rule) =>
  auto_download && (also_days !== null || include_older)

const ifTrue = (sql: Sql, condition: boolean, value: Piece): Piece => (condition ? value : sql`null::timestamptz`)

/** What is stored in `given_columns` after `excluded` was saved over `known`. */
export const savedColumns = (sql: Sql): Piece => sql`
  ${listed(sql, [...conditions, ...limits], column => sql`excluded.${sql(column)}`)},
  ${listed(sql, times, column => sql`case when ${isKept(sql)} then known.${sql(column)} else excluded.${sql(column)} end as ${sql(column)}`)},
  -- Another limit may allow more at once.
  case when not ${isKept(sql)} then excluded.apply_at when known.judge_from is not null then now() end as apply_at`

const listed = (sql: Sql, columns: readonly string[], piece: (column: string) => Piece): Piece =>
  columns.map(piece).reduce((list, next) => sql`${list}, ${next}`)

/** Changing the conditions makes the rule begin anew: a broader rule must not fetch older videos. A rule that was off begins too. */
const isKept = (sql: Sql): Piece => sql`(
  known.on_since is not null and excluded.on_since is not null
  and (${listed(sql, conditions, column => sql`known.${sql(column)}`)})
      is not distinct from
      (${listed(sql, conditions, column => sql`excluded.${sql(column)}`)})) is true`
