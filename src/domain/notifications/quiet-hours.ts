/** Whether a person wants no message now. Pure. */
import type { QuietHours } from '../../schema/notifications/quiet-hours.ts'
import { isIn, localTime } from '../../schema/values/local-time.ts'

/** Hours that begin when they end are none. */
export function isQuiet(
  { quiet_from, quiet_to, time_zone }: Pick<QuietHours, 'quiet_from' | 'quiet_to' | 'time_zone'>,
  at: Date,
): boolean {
  if (quiet_from === null || quiet_to === null) return false
  return isIn({ from: quiet_from, to: quiet_to }, localTime(at, time_zone).time)
}
