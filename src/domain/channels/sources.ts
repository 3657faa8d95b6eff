/** Connects a search for a feed to the web and to yt-dlp. Both are loaded by the first search that needs them. */
import type { AddressPolicy } from '../../net/addresses.ts'
import { lazily } from '../../runtime/cache.ts'
import type { ToolFinder } from '../../ytdlp/process/tools.ts'
import type { Sources } from './feed-search.ts'

/** Without `findTools` the search never runs yt-dlp. */
export const webSources = (policy: AddressPolicy, findTools?: ToolFinder): Sources => ({
  fetchContent: lazily(async () => {
    const { fetchContent } = await import('../../feed/fetch/fetch-feed.ts')
    return (url, { timeout_ms, ...options }) => fetchContent(url, { policy, limits: { timeout_ms }, ...options })
  }),
  ...(findTools && {
    findOwner: lazily(async () => {
      const { createOwnerFinder } = await import('../../ytdlp/ask/look-at.ts')
      return createOwnerFinder({ findTools, policy })
    }),
  }),
})
