/** What a person does with a video: play it, mark it as watched, put it on Watch later, hide it. */
import { z } from 'zod'
import { ChannelId, isChecked, SentTime } from '../values/fields.ts'

/**
 * The list through which a person watches. The address of a video names the list, so that the next video is of the same list. `group:` and
 * the id of a group; `playlist:` and the id of a playlist. `continue`: Continue watching. An unknown list counts as none.
 */
export const PlayList = z
  .string()
  .regex(/^(?:new|later|continue|(?:group|playlist):[\da-f-]{36})$/)
  .optional()
  .catch(undefined)
export type PlayList = z.infer<typeof PlayList>

/** A week, in seconds. No larger position or length is accepted. */
export const longest_video_s = 7 * 24 * 60 * 60

/** Whole seconds; players send fractions. */
const Seconds = z
  .number('Use a number of seconds.')
  .min(0, 'Use a number of seconds.')
  .max(longest_video_s, 'This is longer than a week.')
  .transform(Math.floor)

const position = 'The playback position'
const duration = 'The length of the video'

/** A field that is left out keeps its value. */
export const ViewingRequest = z.object({
  position_seconds: Seconds.optional().describe(`${position}.`),
  duration_seconds: Seconds.optional().describe(`${duration}.`),
  seen: z.boolean().optional().describe('Whether you have watched it, whatever the position.'),
  dismissed: z
    .boolean()
    .optional()
    .describe(
      '`true`: do not list the video as unfinished until it is played again. `PUT /videos/{video_id}/dismissed` hides it.',
    ),
})
export type ViewingRequest = z.infer<typeof ViewingRequest>

/** The list that a video is on by a mark of the person. */
export const MarkedList = z.enum(['later', 'dismissed'])
export type MarkedList = z.infer<typeof MarkedList>

export const UnmarkForm = z.object({ marked_at: SentTime.transform(at => new Date(at)) })

/** Several selected videos, and what to do with them. */
export const ChosenVideos = z.object({
  video_id: z
    .union([z.string(), z.array(z.string())], 'Select at least one video.')
    .optional()
    .transform(given => [given ?? []].flat())
    .pipe(z.array(z.string().max(200)).max(500, 'Select at most 500 videos.')),
  act: z.enum(['seen', 'unseen', 'later', 'not_later', 'dismissed', 'not_dismissed']),
})
export type ChosenVideos = z.infer<typeof ChosenVideos>

/** The form that the player sends. */
export const PositionForm = z.object({
  position_seconds: z.coerce.number().pipe(Seconds),
  duration_seconds: z
    .union([z.literal('').transform(() => undefined), z.coerce.number().pipe(Seconds)], 'Use a number of seconds.')
    .optional(),
})

const no_moment = 'Use a time like 2026-11-20T21:10:00Z.'
/** Years of four digits in UTC, because neither the database nor RFC 3339 can express others. */
const Moment = z.iso
  .datetime({ offset: true, error: no_moment })
  .pipe(
    z.coerce
      .date<string>()
      .min(new Date('0001-01-01T00:00:00Z'), no_moment)
      .max(new Date('9999-12-31T23:59:59.999Z'), no_moment),
  )

export const WatchedRequest = z.object({
  until: Moment.describe('Mark the videos that appeared until this time: the time at which you read the list.'),
  channel_id: ChannelId.min(1).max(200).optional(),
})
export const WatchedForm = WatchedRequest.extend({
  channel_id: z.union([z.literal('').transform(() => undefined), z.string().max(200)]).optional(),
})
export const UnwatchedRequest = z.object({
  seen_at: Moment.describe('The `seen_at` of the response to `POST /videos/seen`.'),
})

export const WatchedResult = z.object({
  marked: z.int().describe('How many videos were unwatched before.'),
  seen_at: z.date().describe('The time they were marked with. Send it to `POST /videos/unseen` to undo this.'),
})
export type WatchedResult = z.infer<typeof WatchedResult>
export const UnwatchedResult = z.object({
  unmarked: z.int().describe('How many videos are unwatched again.'),
})

/** The last visit of the page New. What appeared after `new_since` is new; `null`: this is the first visit. */
export type Look = { looked_at: Date | null; new_since: Date | null }

/** Whether a position counts as the end: the last tenth, or the last 30 seconds of a video longer than 5 minutes. */
export function isAtEnd(position_seconds: number, duration_seconds: number | null): boolean {
  if (!duration_seconds) return false
  const left = duration_seconds - position_seconds
  return left <= duration_seconds / 10 || (duration_seconds > 300 && left <= 30)
}

export const WatchQuery = z.object({
  /** The start position: `754`, `754s`, `12m34s` or `1h2m3s`. Anything else is ignored. */
  t: z.string().optional().transform(secondsOf),
  list: PlayList,
  /** In the address after a press on Watch: it plays as soon as it can. */
  now: isChecked,
})

function secondsOf(text = ''): number | undefined {
  const [, hours, minutes, seconds] = /^(?:(\d{1,3})h)?(?:(\d{1,4})m)?(?:(\d{1,6})s?)?$/.exec(text) ?? []
  const total = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0)
  return text === '' || total > longest_video_s || [hours, minutes, seconds].every(part => part === undefined)
    ? undefined
    : total
}
