/** Fetches a feed from its second address when the first one is missing. Only YouTube's feeds have a second address. */
import { type SecondAddress, secondAddressOf } from '../platforms/youtube-channel.ts'
import { SiteRefusal } from './answer.ts'

/** `mayFetch` is asked before the second request. Rejects with the first refusal when both fail. */
export async function withSecondAddress<T>(
  address: string,
  attempt: (address: string, second?: SecondAddress) => Promise<T>,
  mayFetch: (address: string) => boolean = () => true,
): Promise<T> {
  try {
    return await attempt(address)
  } catch (refusal) {
    const second = isMissing(refusal) ? secondAddressOf(address) : undefined
    if (!second || !mayFetch(second.address)) throw refusal
    return attempt(second.address, second).catch(() => {
      throw refusal
    })
  }
}

const isMissing = (fault: unknown) => fault instanceof SiteRefusal && [404, 500].includes(fault.answered)
