/** One user's bells: the user is notified of new videos of the channels and groups that have one. */
import type { UserId } from '../../schema/values/user.ts'
import { firstValue, type Queryable } from '../postgres/client.ts'

export function bellsOf(sql: Queryable, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`

  return {
    /** Returns the title of the channel; `undefined`: there is no such channel. */
    setForChannel: (channel_id: string, bell: boolean): Promise<string | undefined> =>
      firstValue<string>(sql`
        update channels
        set    bell = ${bell}
        where  ${mine} and channel_id = ${channel_id}
        returning title`),

    /** Returns the name of the group; `undefined`: there is no such group. */
    setForGroup: (group_id: string, bell: boolean): Promise<string | undefined> =>
      firstValue<string>(sql`
        update groups
        set    bell = ${bell}
        where  ${mine} and group_id::text = ${group_id} and deleted_at is null
        returning name`),
  }
}
