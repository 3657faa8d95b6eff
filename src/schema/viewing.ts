/** What somebody has seen, and how far they came. Of a video, not of its place in a channel. */
import { z } from 'zod'

/** A week of playing: no longer than that is any video, and no number from outside is believed beyond it. */
const most_seconds = 7 * 24 * 60 * 60

/** Whole seconds; a player knows fractions of them. */
export const Seconds = z
  .number('Use a number of seconds.')
  .min(0, 'Use a number of seconds.')
  .max(most_seconds, 'This is longer than a week.')
  .transform(Math.floor)

export const Viewing = z.object({
  /** `null`: not seen. */
  seen_at: z.date().nullable(),
  /** Where playing stopped; `null`: never played. */
  position_seconds: z.number().int().nullable(),
  /** `null`: unknown until it is played. */
  duration_seconds: z.number().int().nullable(),
})
export type Viewing = z.infer<typeof Viewing>

/** What is left out stays as it is. */
export const ViewingRequest = z.object({
  position_seconds: Seconds.optional(),
  duration_seconds: Seconds.optional(),
  seen: z.boolean().describe('Whether you have seen it, whatever the player says.').optional(),
  /** Not to be offered for going on, until it is played again. */
  dismissed: z.boolean().optional(),
})
export type ViewingRequest = z.infer<typeof ViewingRequest>

/** What a player sends. */
export const PositionForm = z.object({
  position_seconds: z.coerce.number().pipe(Seconds),
  duration_seconds: z
    .union([z.literal('').transform(() => undefined), z.coerce.number().pipe(Seconds)], 'Use a number of seconds.')
    .optional(),
})

const no_moment = 'Use a time like 2026-11-20T21:10:00Z.'
/** Within the years of four digits, once it is in UTC: beyond them neither the database nor RFC 3339 can say it. */
const Moment = z.iso
  .datetime({ offset: true, error: no_moment })
  .pipe(
    z.coerce
      .date<string>()
      .min(new Date('0001-01-01T00:00:00Z'), no_moment)
      .max(new Date('9999-12-31T23:59:59.999Z'), no_moment),
  )

/** Everything that had appeared by then; in one channel, or in all. */
export const SeenRequest = z.object({ until: Moment, channel_id: z.string().min(1).max(200).optional() })
export const SeenForm = SeenRequest.extend({
  channel_id: z.union([z.literal('').transform(() => undefined), z.string().max(200)]).optional(),
})
/** Takes back what was marked in one go, by the moment of it. */
export const UnseenRequest = z.object({ seen_at: Moment })

export const SeenResult = z.object({
  /** How many were not seen before. */
  marked: z.number().int(),
  /** The moment of it, by which it can be taken back. */
  seen_at: z.date(),
})
export type SeenResult = z.infer<typeof SeenResult>
export const UnseenResult = z.object({ unmarked: z.number().int() })

/** The last look at what is new, and up to where everything was old then; `null`: this is the first. */
export type Look = { looked_at: Date | null; new_since: Date | null }

/** `754`, `754s`, `12m34s`, `1h2m3s`, as addresses of videos say it; anything else is not said. */
export const WatchQuery = z.object({ t: z.string().optional().transform(secondsOf) })

function secondsOf(text = ''): number | undefined {
  const [, hours, minutes, seconds] = /^(?:(\d{1,3})h)?(?:(\d{1,4})m)?(?:(\d{1,6})s?)?$/.exec(text) ?? []
  const total = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0)
  return text === '' || total > most_seconds || [hours, minutes, seconds].every(part => part === undefined)
    ? undefined
    : total
}
