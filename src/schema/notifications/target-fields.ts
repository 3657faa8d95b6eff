/** The forms of the page about notifications: a new target, a change of one, and quiet hours with the daily limit. */
import { z } from 'zod'
import { listOf } from '../values/fields.ts'
import { quietHours } from './quiet-hours.ts'
import { TargetChange, TargetRequest } from './target.ts'

const emptyOr = <T extends z.ZodType, Empty>(empty: Empty, schema: T) =>
  z.union([z.literal('').transform(() => empty), schema])

const events = listOf(20).pipe(TargetRequest.shape.events)

export const TargetForm = TargetRequest.extend({
  secret: emptyOr(undefined, TargetRequest.shape.secret),
  events,
})

export const TargetChangeForm = TargetChange.extend({
  secret: emptyOr(undefined, TargetChange.shape.secret),
  /** Deletes the saved token or key. */
  forgets_secret: z.string().optional(),
  events,
}).transform(({ forgets_secret, secret, ...change }) => ({
  ...change,
  secret: forgets_secret === undefined ? secret : null,
}))

const { quiet_from, quiet_to, messages_a_day } = quietHours

export const TimesForm = z
  .object({
    ...quietHours,
    quiet_from: emptyOr(null, quiet_from),
    quiet_to: emptyOr(null, quiet_to),
    messages_a_day: z
      .string()
      .transform(text => Number(text))
      .pipe(messages_a_day),
  })
  .refine(times => (times.quiet_from === null) === (times.quiet_to === null), {
    path: ['quiet_to'],
    message: 'Fill in both times, or neither.',
  })
