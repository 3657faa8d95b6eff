/** Limits the channels that one person follows, also when several are added at the same moment. */
import { DomainError } from '../../errors.ts'
import type { Follower } from '../../schema/jobs.ts'
import type { Queryable, Sql } from '../postgres/client.ts'

/** More channels than all processes together could add to one person at the same moment. */
const wide_margin = 500

/** Runs `work`, which saves this channel. Throws `invalid` if the channel is new and one too many. */
export async function withinLimit<T>(
  sql: Sql,
  follower: Follower,
  max_channels: number,
  work: (on: Queryable) => Promise<T>,
): Promise<T> {
  const { user_id } = follower
  const [near] = await sql`
    select from channels
    where  user_id = ${user_id}
    having count(*) >= ${max_channels - wide_margin}`
  // Far from the limit the saves of one person need not wait for each other: an import saves several channels at once.
  return near ? oneByOne(sql, follower, max_channels, work) : work(sql)
}

const oneByOne = <T>(
  sql: Sql,
  { user_id, channel_id }: Follower,
  max_channels: number,
  work: (on: Queryable) => Promise<T>,
): Promise<T> =>
  sql
    .begin(async tx => {
      // Saves of one person wait for each other here, so that the count below includes the one before.
      await tx`
        select   from users
        where    id = ${user_id}
        for no key update`
      const [full] = await tx`
        select from channels
        where  user_id = ${user_id}
        having count(*) >= ${max_channels} and not bool_or(channel_id = ${channel_id})`
      if (full) throw tooMany(max_channels)
      return { done: await work(tx) }
    })
    .then(({ done }) => done)

const tooMany = (most: number) =>
  new DomainError(
    'invalid',
    `You follow ${most} channels, the most that one person may follow here. Unfollow some, then try again.`,
  )
