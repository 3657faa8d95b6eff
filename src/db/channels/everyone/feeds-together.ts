/** Lets the checks of feeds that run at the same time read and save in common statements. */
import { gathered } from '../../../runtime/gather.ts'
import type { Everyone } from '../../everyone.ts'
import type { FeedFetchState } from '../../rows/fetch-state.ts'
import { dueFeeds, type FailedFeed, noteFailedFetches, noteUnchanged } from './feeds.ts'
import { type FeedUpdate, saveForFollowers } from './save-for-followers.ts'

const most_in_statement = 24

export type FeedsTogether = ReturnType<typeof feedsTogether>

/** `max_videos`: kept for one person; 0: any number. */
export function feedsTogether(everyone: Everyone, max_videos: number) {
  let running = 0
  const reading = { most: () => most_in_statement, wait_ms: 2 }
  // The last of the running checks waits for no other. A feed that hangs delays the others by 25 ms at most.
  const saving = { most: () => Math.min(most_in_statement, running), wait_ms: 25 }
  return {
    /** Runs a check, and counts it among those that run. */
    async during<T>(check: () => Promise<T>): Promise<T> {
      running += 1
      try {
        return await check()
      } finally {
        running -= 1
      }
    },
    due: gathered(reading, (rss_urls: string[]) => dueFeeds(everyone, rss_urls)),
    noteUnchanged: gathered<FeedFetchState, void>(saving, all => noteUnchanged(everyone, all).then(() => [])),
    noteFailed: gathered<FailedFeed, void>(saving, all => noteFailedFetches(everyone, all).then(() => [])),
    save: gathered(saving, (updates: FeedUpdate[]) => saveForFollowers(everyone, updates, max_videos)),
  }
}
