/**
 * YouTube's feed of a channel and that of its uploads list say the same, and now and then one of them answers 404 or
 * 500 for hours while the other works (NetNewsWire#5212, plugin.video.youtube#1463). So the other is asked as well.
 */
import type { Feed } from '../../schema/feed.ts'
import { isYouTubesFeed } from '../platforms/youtube-feeds.ts'
import { SiteRefusal } from './answer.ts'

/** What the other address of the same channel is, and what of it belongs to the first. */
export type Twin = { address: string; only?: (feed: Feed) => Feed }

/** What `attempt` gives for the address, or else for its twin; the first refusal counts. */
export async function withTwin<T>(address: string, attempt: (address: string, twin?: Twin) => Promise<T>): Promise<T> {
  try {
    return await attempt(address)
  } catch (refusal) {
    const twin = refusal instanceof SiteRefusal && [404, 500].includes(refusal.answered) ? twinOf(address) : undefined
    if (!twin) throw refusal
    return attempt(twin.address, twin).catch(() => {
      throw refusal
    })
  }
}

export function twinOf(address: string): Twin | undefined {
  const url = new URL(address)
  if (!isYouTubesFeed(url)) return undefined
  const [, channel] = /^UC(.{22})$/.exec(url.searchParams.get('channel_id') ?? '') ?? []
  if (channel) return { address: `${url.origin}/feeds/videos.xml?playlist_id=UU${channel}` }
  const [, kind, of] = /^UU(LF)?(.{22})$/.exec(url.searchParams.get('playlist_id') ?? '') ?? []
  if (!of) return undefined
  const twin = { address: `${url.origin}/feeds/videos.xml?channel_id=UC${of}` }
  return kind ? { ...twin, only: withoutShorts } : twin
}

/** Who follows the videos alone does not want the shorts, not even for a day. */
const withoutShorts = (feed: Feed): Feed => ({
  ...feed,
  entries: feed.entries.filter(({ video_url }) => !/\/shorts\//.test(video_url)),
})
