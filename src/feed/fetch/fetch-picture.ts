/** Fetches one picture from any site, within limits of destination, time and size. Its bytes say what it is; nothing decodes it here. */
import { DomainError } from '../../errors.ts'
import { type PictureFormat, pictureFormat } from '../../schema/picture-format.ts'
import { asksToWait, SiteRefusal } from './answer.ts'
import { TooLarge } from './body.ts'
import { type FetchOptions, fetchDocument } from './fetch.ts'
import { withMemory } from './memory.ts'

/**
 * `unfit`: there is no picture at this address, and another request would find none either. `failed`: it may succeed later; `is_hosts`:
 * the host is in trouble, whatever the address. `refused`: the host wants fewer requests. A feed can name any address at any host, so
 * neither a refusal of one address nor the answer of another host, behind a redirect, counts against the host.
 */
export type PictureAnswer =
  | { found: 'picture'; bytes: Uint8Array; format: PictureFormat }
  | { found: 'unfit' }
  | { found: 'failed'; reason: string; is_hosts: boolean }
  | { found: 'refused'; reason: string; retry_after_s: number | undefined }

/** Rejects only when `signal` is aborted, with its reason. */
export type PictureFetcher = (url: string, signal: AbortSignal) => Promise<PictureAnswer>

const limits = { timeout_ms: 10_000, max_bytes: 5 * 1024 * 1024, max_redirects: 5 }
const accept = 'image/webp,image/jpeg,image/png,image/avif,image/gif;q=0.9'

export function createPictureFetcher(options: FetchOptions): PictureFetcher {
  return (url, signal) =>
    withMemory('pictures', async share => {
      try {
        const { body } = await fetchDocument(url, { limits, ...options, accept, signal }, share)
        const format = pictureFormat(body)
        return format ? { found: 'picture', bytes: body, format } : { found: 'unfit' }
      } catch (fault) {
        signal.throwIfAborted()
        return answerOf(fault, new URL(url).host)
      }
    })
}

function answerOf(fault: unknown, host: string): PictureAnswer {
  if (fault instanceof TooLarge) return { found: 'unfit' }
  if (fault instanceof SiteRefusal) {
    const { answered, message: reason, retry_after_s } = fault
    if (answered === 404 || answered === 410) return { found: 'unfit' }
    const is_hosts = fault.host === host
    if (is_hosts && asksToWait(fault)) return { found: 'refused', reason, retry_after_s }
    return { found: 'failed', reason, is_hosts: is_hosts && answered >= 500 }
  }
  if (fault instanceof DomainError) return { found: 'failed', reason: fault.message, is_hosts: true }
  throw fault
}
