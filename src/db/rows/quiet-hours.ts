/** The columns of `QuietHours`, from a row of `users`. */
import { sharedPiece } from '../postgres/client.ts'

/** Times of day as "HH:MI". */
export const quietHourColumns = sharedPiece(
  sql => sql`
  to_char(quiet_from, 'HH24:MI') as quiet_from, to_char(quiet_to, 'HH24:MI') as quiet_to, time_zone, messages_a_day`,
)
