/** One search: what was asked already, how much may still be asked, and what led nowhere. */
import { DomainError } from '../../errors.ts'
import { SiteRefusal } from '../../feed/fetch/answer.ts'
import type { Content } from '../../feed/fetch/content.ts'
import { twinOf } from '../../feed/fetch/youtube-twin.ts'

/** The outside of it; `whose` is the person who takes the turn. Each rejects with what a person can be told, or with the reason of an aborted signal. */
export type Sources = {
  /** What stands at an address. */
  look(url: string, signal: AbortSignal, whose: string): Promise<Content>
  /** Pages of the channel that a video is of; `not_ready`: it can't be asked just now. */
  findOwner(url: string, signal: AbortSignal, whose: string): Promise<string[] | 'not_ready'>
}

export type FeedSearch = {
  readonly url: string
  readonly tried: string[]
  /** `undefined`: nothing that helps stands there, or it may not be asked any more. Never asks one address twice. */
  look(url: string): Promise<Content | undefined>
  /** By the downloader; none unless the page itself could be seen. */
  owners(): Promise<string[]>
  note(fault: DomainError): void
  /** Why nothing was found: the first reason, which is about what was given. */
  fault(): DomainError
}

export function startSearch(
  url: string,
  whose: string,
  sources: Sources,
  signal: AbortSignal,
  most_requests: number,
): FeedSearch {
  const asked = new Set<string>()
  const faults: DomainError[] = []
  const tried: string[] = []
  const seen = new Set<string>()

  const note = (fault: DomainError) => {
    faults.push(fault)
    if (!tried.includes(fault.message)) tried.push(fault.message)
  }

  const look = async (address: string): Promise<Content | undefined> => {
    if (asked.has(address) || asked.size >= most_requests) return undefined
    asked.add(address)
    try {
      const page = await sources.look(address, signal, whose)
      seen.add(address)
      if ('choices' in page && page.choices.length === 0) note(nothingNamed())
      return page
    } catch (fault) {
      if (!(fault instanceof DomainError)) throw fault
      if (fault.code === 'address_refused' && address === url) throw fault
      note(
        address === url ? fault : new DomainError(fault.code, `${place(address)}: ${fault.message}`, { cause: fault }),
      )
      return byTwin(address, fault)
    }
  }

  /** It stays the feed that was meant; its twin only says the same for today. */
  const byTwin = async (address: string, fault: DomainError) => {
    const twin = isMissing(fault) ? twinOf(address) : undefined
    const page = twin && (await look(twin.address))
    return page && 'feed' in page && twin?.only ? { feed: twin.only(page.feed) } : page
  }

  return {
    url,
    tried,
    look,
    note,
    async owners() {
      if (!seen.has(url)) return []
      const owners = await sources.findOwner(url, signal, whose)
      if (owners === 'not_ready') note(new DomainError('unavailable', not_ready))
      else if (owners.length === 0) note(new DomainError('not_a_feed', no_owner))
      return owners === 'not_ready' ? [] : owners
    },
    fault: () => faults[0] ?? nothingNamed(),
  }
}

const isMissing = (fault: DomainError) => fault instanceof SiteRefusal && [404, 500].includes(fault.answered)

const place = (address: string) => (address.length > 120 ? `${address.slice(0, 119)}…` : address)

const nothingNamed = () =>
  new DomainError('not_a_feed', 'This page is no feed and names none. Look on it for a link that says RSS or feed.')
const not_ready = 'What knows most video sites is not ready here yet. Try again in a minute.'
const no_owner = 'It is not known either which channel this is of.'
