/** The web and the downloader, as a search asks them. */
import { fetchContent } from '../../feed/fetch/content.ts'
import type { AddressPolicy } from '../../net/addresses.ts'
import { createOwnerFinder } from '../../ytdlp/run/metadata.ts'
import type { ToolFinder } from '../../ytdlp/run/tools.ts'
import type { Sources } from './feed-search.ts'

/** One request may take half of what a whole search may. */
const timeout_ms = 10_000

export const webSources = (policy: AddressPolicy, findTools: ToolFinder): Sources => ({
  look: (url, signal, whose) => fetchContent(url, { policy, signal, limits: { timeout_ms } }, whose),
  findOwner: createOwnerFinder({ findTools, policy }),
})
