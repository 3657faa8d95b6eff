/** Connects a search for a feed to the web and to yt-dlp. */
import { fetchContent } from '../../feed/fetch/content.ts'
import type { AddressPolicy } from '../../net/addresses.ts'
import { createOwnerFinder } from '../../ytdlp/run/find-owner.ts'
import type { ToolFinder } from '../../ytdlp/run/tools.ts'
import type { Sources } from './feed-search.ts'

/** Without `findTools` the search never runs yt-dlp. */
export const webSources = (policy: AddressPolicy, findTools?: ToolFinder): Sources => ({
  fetchContent: (url, { timeout_ms, ...options }) => fetchContent(url, { policy, limits: { timeout_ms }, ...options }),
  ...(findTools && { findOwner: createOwnerFinder({ findTools, policy }) }),
})
