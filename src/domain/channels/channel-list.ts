/** The list of followed channels: filtered, sorted, page by page. */
import type { Library } from '../../db/library/library.ts'
import type { Channel, ChannelList, ChannelOrder } from '../../schema/channel.ts'

type Wanted = { q: string; order: ChannelOrder; cursor: number }

const page_length = 100

/** One page of the channels whose title contains `q`, beginning at number `cursor`. */
export async function listChannels(
  library: Library,
  { q, order, cursor }: Wanted = { q: '', order: 'title', cursor: 0 },
): Promise<ChannelList> {
  const all = await library.channels.list()
  const fitting = all.filter(({ title }) => title.toLowerCase().includes(q.toLowerCase())).toSorted(by[order])
  return {
    channels: fitting.slice(cursor, cursor + page_length),
    followed: all.length,
    failing: all.filter(({ failing_since }) => failing_since !== null).length,
    next_cursor: cursor + page_length < fitting.length ? String(cursor + page_length) : null,
    q,
    order,
  }
}

/** Channels that compare as equal stay sorted by title. */
const by: Record<ChannelOrder, (one: Channel, other: Channel) => number> = {
  title: () => 0,
  videos: (one, other) => other.entry_count - one.entry_count,
  // The latest failure first: an old one is known already.
  failing: (one, other) => (other.failing_since?.getTime() ?? 0) - (one.failing_since?.getTime() ?? 0),
}
