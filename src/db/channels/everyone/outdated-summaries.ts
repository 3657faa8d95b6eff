/**
 * Brings the summaries of channels up to date of people who have not looked at a page for long, so that what is recorded stays few rows.
 */
import type { UserId } from '../../../schema/values/user.ts'
import type { Everyone } from '../../everyone.ts'
import { keepSummaries } from '../../rows/channel-summaries.ts'

const most_noted = 1000

export async function keepOutdatedSummaries(sql: Everyone): Promise<void> {
  const people = await sql<{ user_id: UserId }[]>`
    select   user_id
    from     channel_changes
    group by user_id
    having   count(*) > ${most_noted}`
  for (const { user_id } of people) await keepSummaries(sql, user_id)
}
