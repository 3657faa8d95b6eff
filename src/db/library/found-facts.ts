/** Stores what the site said about the video of a finished run, for its person and for those who get a copy of the file. */
import type { Queryable } from '../postgres/client.ts'
import type { FoundFacts } from './run-types.ts'

/** The facts that others get with a copy of the file. */
export const siteFacts = (tx: Queryable, facts: FoundFacts | undefined) => {
  if (!facts) return null
  const { duration_seconds, live_status, availability, published_at, published_precision, language = null } = facts
  return tx.json({
    ...{ duration_seconds, live_status, availability, published_precision, language },
    published_at: published_at?.toISOString() ?? null,
    ...(facts.chapters && { chapters: facts.chapters }),
  })
}

/** The file is there, so no further look is needed. */
export const foundFacts = (tx: Queryable, facts: FoundFacts) => {
  const { duration_seconds, live_status, availability, published_at, published_precision } = facts
  // Of the words for precision, the later one in the alphabet is the better.
  const has_better_date = tx`
    (${published_at}::timestamptz is not null
     and (published_at is null or ${published_precision ?? 'exact'} > published_precision))`
  return tx`
    , duration_seconds    = coalesce(${duration_seconds}, duration_seconds),
      live_status         = coalesce(${live_status}, live_status),
      availability        = coalesce(${availability}, case when availability in ('unlisted', 'age_restricted') then availability end),
      published_at        = case when ${has_better_date} then ${published_at} else published_at end,
      published_precision = case when ${has_better_date} then ${published_precision ?? 'exact'} else published_precision end,
      chapters            = coalesce(${facts.chapters ? tx.json(facts.chapters) : null}::jsonb, chapters),
      look_at             = null`
}
