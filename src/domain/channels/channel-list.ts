/** The list of the channels that a person follows, or has single videos of: filtered, sorted, page by page. */
import type { Library } from '../../db/library.ts'
import type { ChannelList, ChannelOrder } from '../../schema/channels/channel.ts'

type Wanted = { q: string; order: ChannelOrder; cursor: number; followed: boolean }

const page_length = 100

/** One page of the channels whose title contains `q`, beginning at number `cursor`. */
export async function listChannels(
  { channels }: Library,
  { q, order, cursor, followed: is_followed }: Wanted = { q: '', order: 'title', cursor: 0, followed: true },
): Promise<ChannelList> {
  const [tally, found] = await Promise.all([
    channels.tally(),
    channels.page({ q, order, followed: is_followed, offset: cursor, limit: page_length + 1 }),
  ])
  return {
    channels: found.slice(0, page_length),
    ...tally,
    next_cursor: found.length > page_length ? String(cursor + page_length) : null,
    q,
    order,
    of: is_followed ? 'followed' : 'unfollowed',
  }
}
