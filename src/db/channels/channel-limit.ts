/** Limits the channels that one person follows, also when several are added at the same moment. */
import { DomainError } from '../../errors.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { Queryable, Sql } from '../postgres/client.ts'

/** More channels than all processes together could add to one person at the same moment. */
const wide_margin = 500

/** The channels that a person is about to follow, each once. */
type Adding = { user_id: UserId; channel_ids: string[] }

/** Runs `work`, which saves these channels. Throws `invalid` if the new ones among them are too many. */
export async function withinLimit<T>(
  sql: Sql,
  adding: Adding,
  max_channels: number,
  work: (on: Queryable) => Promise<T>,
): Promise<T> {
  const { user_id } = adding
  const [near] = await sql`
    select from channels
    where  user_id = ${user_id} and rss_url is not null
    having count(*) >= ${max_channels - wide_margin}`
  // Far from the limit the saves of one person need not wait for each other: an import saves several channels at once.
  return near ? oneByOne(sql, adding, max_channels, work) : work(sql)
}

const oneByOne = <T>(
  sql: Sql,
  { user_id, channel_ids }: Adding,
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
        select from (
          select count(*)                                                 as followed,
                 count(*) filter (where channel_id = any(${channel_ids})) as known
          from   channels
          where  user_id = ${user_id} and rss_url is not null
        ) counted
        where  known < ${channel_ids.length} and followed + ${channel_ids.length} - known > ${max_channels}`
      if (full) throw tooMany(max_channels)
      return { done: await work(tx) }
    })
    .then(({ done }) => done)

const tooMany = (most: number) =>
  new DomainError(
    'invalid',
    `You follow ${most} channels, the most that one person may follow here. Unfollow some, then try again.`,
  )
