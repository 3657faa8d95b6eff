/** Fetches one picture from any site, within limits of destination, time and size. Its bytes say what it is; nothing decodes it here. */
import { DomainError } from '../../errors.ts'
import type { AddressPolicy } from '../../net/addresses.ts'
import { ProxyFault } from '../../net/proxy-fault.ts'
import { type PictureFormat, pictureFormat } from '../../schema/values/picture.ts'
import { asksToWait, SiteRefusal, TooLarge } from './answer.ts'
import { type FetchOptions, fetchDocument } from './fetch.ts'
import { withMemory } from './memory.ts'

/**
 * `unfit`: there is no picture at this address, and another request would find none either. `failed`: it may succeed later; `is_hosts`:
 * perhaps the host is in trouble, whatever the address. `not_asked`: the operator's proxy is at fault. `refused`: perhaps the host wants
 * fewer requests. A feed can name any address at any host, so a refusal of one address, or whatever another host does behind a redirect,
 * says nothing about the host. Only a look at the host's own root does.
 */
export type PictureAnswer =
  | { found: 'picture'; bytes: Uint8Array; format: PictureFormat }
  | { found: 'unfit' }
  | { found: 'failed'; is_hosts: boolean }
  | { found: 'not_asked' }
  | { found: 'refused' }

/** Rejects only when `signal` is aborted, with its reason. */
export type PictureFetcher = (url: string, signal: AbortSignal) => Promise<PictureAnswer>

const limits = { timeout_ms: 10_000, max_bytes: 5 * 1024 * 1024, max_redirects: 5 }
const accept = 'image/webp,image/jpeg,image/png,image/avif,image/gif;q=0.9'

export function createPictureFetcher(options: FetchOptions): PictureFetcher {
  return (url, signal) =>
    withMemory('pictures', async share => {
      const asked = new Set<string>()
      const { policy } = options
      const resolve: AddressPolicy['resolve'] = (hostname, port) => {
        // A redirect to https stays at the host.
        asked.add(port === 80 || port === 443 ? hostname : `${hostname}:${port}`)
        return policy.resolve(hostname, port)
      }
      try {
        const watched = { ...options, policy: { ...policy, resolve } }
        const { body } = await fetchDocument(url, { limits, ...watched, accept, signal }, share)
        const format = pictureFormat(body)
        return format ? { found: 'picture', bytes: body, format } : { found: 'unfit' }
      } catch (fault) {
        signal.throwIfAborted()
        return answerOf(fault, asked.size <= 1)
      }
    })
}

/** `is_hosts`: the host of the address answered, or failed, and none that it redirected to. */
function answerOf(fault: unknown, is_hosts: boolean): PictureAnswer {
  if (fault instanceof TooLarge) return { found: 'unfit' }
  if (fault instanceof SiteRefusal) {
    const { answered } = fault
    if (answered === 404 || answered === 410) return { found: 'unfit' }
    if (is_hosts && asksToWait(fault)) return { found: 'refused' }
    return { found: 'failed', is_hosts: is_hosts && answered >= 500 }
  }
  if (fault instanceof ProxyFault) return { found: 'not_asked' }
  if (fault instanceof DomainError) return { found: 'failed', is_hosts }
  throw fault
}
