/** The followed channels as a list: which of them, in which order, page by page. */
import type { Library } from '../../db/library/library.ts'
import type { Channel, ChannelList, ChannelOrder } from '../../schema/channel.ts'

type Asked = { q: string; order: ChannelOrder; cursor: number }

const page_length = 100

/** One page of what somebody follows: those whose title has `q`, from the place `cursor` on. */
export async function listChannels(
  library: Library,
  { q, order, cursor }: Asked = { q: '', order: 'title', cursor: 0 },
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

/** Those that are equal stay in the order of their titles. */
const by: Record<ChannelOrder, (one: Channel, other: Channel) => number> = {
  title: () => 0,
  videos: (one, other) => other.entry_count - one.entry_count,
  // The latest failure first: what has failed for a year is known.
  failing: (one, other) => (other.failing_since?.getTime() ?? 0) - (one.failing_since?.getTime() ?? 0),
}
