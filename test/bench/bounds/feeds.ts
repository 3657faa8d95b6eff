/** Starts the site with feeds. */
import { once } from 'node:events'
import { forked } from '../run/fork.ts'
import type { FeedMode } from './feed-site.ts'

export type FeedSite = {
  /** The address of the `n`th feed, on a host of its own. */
  feed(n: number): string
  answer(mode: FeedMode): Promise<void>
}

export async function openFeedSite(): Promise<FeedSite> {
  const { child, message: port } = await forked<number>(new URL('feed-site.ts', import.meta.url))
  return {
    feed: n => `http://127.10.${n >> 8}.${n & 255}:${port}/feed.xml`,
    async answer(mode) {
      child.send(mode)
      await once(child, 'message')
    },
  }
}
