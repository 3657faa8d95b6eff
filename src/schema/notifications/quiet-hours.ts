/** When a person wants no message, and how many they want at most. */
import { z } from 'zod'
import { isIn, isTimeZone, localTime } from '../values/local-time.ts'

const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Use a time such as 22:30.')

const TimeZone = z
  .string()
  .max(60)
  .refine(isTimeZone, 'Use the name of a time zone, such as Europe/Zurich.')
  .meta({ examples: ['Europe/Zurich'] })

export const max_messages_a_day = 500
/** What a person has who chose nothing, as the column says. */
export const usual_messages_a_day = 50

export const quietHours = {
  quiet_from: TimeOfDay.nullable().describe(
    'From this time of day to `quiet_to` you get no messages, over midnight if it is the later one; null: there are no quiet hours.',
  ),
  quiet_to: TimeOfDay.nullable().describe('When quiet hours end; null: there are none.'),
  time_zone: TimeZone.describe('The time zone of quiet hours, and of the day of `messages_a_day`.'),
  messages_a_day: z
    .int()
    .min(1)
    .max(max_messages_a_day)
    .describe(
      'How many messages each of your targets gets in a day at most. The rest waits, and comes later as one message.',
    ),
}
export const QuietHours = z.object(quietHours)
export type QuietHours = z.infer<typeof QuietHours>

/** Whether a person wants no message now. Hours that begin when they end are none. */
export function isQuiet(
  { quiet_from, quiet_to, time_zone }: Pick<QuietHours, 'quiet_from' | 'quiet_to' | 'time_zone'>,
  at: Date,
): boolean {
  if (quiet_from === null || quiet_to === null) return false
  return isIn({ from: quiet_from, to: quiet_to }, localTime(at, time_zone).time)
}
