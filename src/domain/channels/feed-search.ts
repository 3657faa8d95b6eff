/** The state of one search for a feed: what was fetched, how many requests are left, and why each step found nothing. */
import { DomainError } from '../../errors.ts'
import { asksToWait, SiteRefusal } from '../../feed/fetch/answer.ts'
import type { Content } from '../../feed/fetch/fetch-feed.ts'
import type { AddressPolicy } from '../../net/addresses.ts'
import { lazily } from '../../runtime/cache.ts'
import type { Choice } from '../../schema/sources/discovery.ts'
import type { ToolFinder } from '../../ytdlp/process/programs.ts'

export type SearchBudget = {
  requests: number
  /** Timeout of each request. */
  request_ms: number
  /** Timeout of the whole search; null: only its requests have one. */
  search_ms: number | null
}

/** The web and yt-dlp. Each rejects with a sentence for people, or with the reason of an aborted signal. */
export type Sources = {
  fetchContent(url: string, options: FetchContentOptions): Promise<Content>
  /** Pages of the channel that a video belongs to; `not_ready`: yt-dlp is not installed yet. Absent: yt-dlp is never asked. */
  findOwner?(url: string, signal: AbortSignal, whose: string): Promise<string[] | 'not_ready'>
}

type FetchContentOptions = {
  signal: AbortSignal
  whose: string
  timeout_ms: number
  /** Takes one more request from the budget, for a feed's second address. */
  mayFetch(address: string): boolean
}

/** The first search that needs the web or yt-dlp loads the code for it. Without `findTools` the search never runs yt-dlp. */
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

export type FeedSearch = {
  readonly url: string
  /** Sentences for people, one for each step that found nothing. */
  readonly tried: string[]
  /** Of all pages fetched so far. */
  readonly guesses: Choice[]
  requestsLeft(): number
  /** Never fetches one address twice. The choices are without guesses. `undefined`: it could not be fetched, or the budget is spent. */
  fetch(url: string): Promise<Content | undefined>
  /** The channel's pages, from yt-dlp. Empty unless the given page could be fetched: yt-dlp would fail there too. */
  owners(): Promise<string[]>
  addFault(fault: DomainError): void
  /** The first reason why nothing was found. It is about the given address. */
  fault(): DomainError
}

type SearchOptions = Omit<SearchBudget, 'search_ms'> & { signal: AbortSignal; whose: string }

export function startSearch(url: string, sources: Sources, options: SearchOptions): FeedSearch {
  const { requests, request_ms: timeout_ms, signal, whose } = options
  const requested = new Set<string>()
  const refusing_hosts = new Set<string>()
  const faults: DomainError[] = []
  const tried: string[] = []
  const guesses: Choice[] = []
  let page_fetched = false

  const addFault = (fault: DomainError) => {
    faults.push(fault)
    if (!tried.includes(fault.message)) tried.push(fault.message)
  }

  const mayFetch = (address: string): boolean => {
    if (requested.has(address) || requested.size >= requests) return false
    if (refusing_hosts.has(new URL(address).host)) return false
    requested.add(address)
    return true
  }

  const failed = (address: string, fault: unknown) => {
    if (!(fault instanceof DomainError)) throw fault
    if (fault.code === 'address_refused' && address === url) throw fault
    if (fault instanceof SiteRefusal && asksToWait(fault)) refusing_hosts.add(fault.host)
    addFault(address === url ? fault : new DomainError(fault.code, wordsOf(fault), { cause: fault }))
  }

  return {
    url,
    tried,
    guesses,
    addFault,
    requestsLeft: () => requests - requested.size,
    async fetch(address) {
      if (!mayFetch(address)) return undefined
      try {
        const content = await sources.fetchContent(address, { signal, whose, timeout_ms, mayFetch })
        if (address === url) page_fetched = true
        if (!('choices' in content)) return content
        const choices = content.choices.filter(({ is_guess }) => !is_guess)
        if (choices.length === 0) addFault(noFeedNamed())
        guesses.push(...content.choices.filter(({ is_guess }) => is_guess))
        return { choices }
      } catch (fault) {
        failed(address, fault)
        return undefined
      }
    },
    async owners() {
      if (!page_fetched || !sources.findOwner) return []
      const owners = await sources.findOwner(url, signal, whose)
      if (owners === 'not_ready') addFault(new DomainError('unavailable', not_ready))
      else if (owners.length === 0) addFault(new DomainError('not_a_feed', no_owner))
      return owners === 'not_ready' ? [] : owners
    },
    fault: () => faults[0] ?? noFeedNamed(),
  }
}

/** For an address that the person did not give, and cannot correct. */
const wordsOf = (fault: DomainError): string =>
  fault instanceof SiteRefusal && isGone(fault)
    ? `The feed was not found (${fault.answered}). The channel may have been renamed or removed.`
    : fault.message

const isGone = ({ answered }: SiteRefusal): boolean => answered === 404 || answered === 410

const noFeedNamed = () =>
  new DomainError('not_a_feed', 'This page names no feed. Look on it for a link called RSS or feed.')
const not_ready = 'yt-dlp, which knows most video sites, is not ready yet. Try again in a minute.'
const no_owner = 'yt-dlp does not know which channel this belongs to either.'
