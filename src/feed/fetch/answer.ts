/** What a site's last answer comes to: a document, no news, or a refusal in words. Leaves the way there to `fetch`. */
import type { IncomingMessage } from 'node:http'
import { DomainError } from '../../errors.ts'
import type { FetchedDocument } from '../document.ts'
import { decodedBody } from './body.ts'
import { type Caching, cachingOf, retryAfterOf } from './caching.ts'

/** Without `document`, nothing has changed since. */
export type Answer = { document?: FetchedDocument; caching: Caching }

/** The site answered, but not with a document. `answered`: its status; `host`: who answered, behind all redirects, with its port. */
export class SiteRefusal extends DomainError {
  readonly answered: number
  readonly host: string

  constructor(answered: number, retry_after_s: number | undefined, host: string) {
    super(
      'feed_failed',
      `The site answered ${answered}${meaning(answered)}.`,
      retry_after_s === undefined ? {} : { retry_after_s },
    )
    this.answered = answered
    this.host = host
  }
}

/** `conditional`: news alone was asked for. */
export async function answerOf(
  response: IncomingMessage,
  url: URL,
  { conditional, max_bytes }: { conditional: boolean; max_bytes: number },
): Promise<Answer> {
  const { statusCode = 0, headers } = response
  const caching = cachingOf(headers, new Date())
  if (statusCode === 200) {
    const body = await decodedBody(response, headers['content-encoding'], max_bytes)
    const link = headers.link === undefined ? undefined : String(headers.link)
    return { document: { url: url.href, content_type: headers['content-type'] ?? '', body, link }, caching }
  }
  response.destroy()
  if (statusCode === 304 && conditional) return { caching }
  throw refusalOf(response, url)
}

/** `response` is no document. */
export function refusalOf({ statusCode = 0, headers }: IncomingMessage, url: URL): SiteRefusal {
  const retry_after_s = waits(statusCode) ? retryAfterOf(headers['retry-after'], new Date()) : undefined
  return new SiteRefusal(statusCode, retry_after_s, url.host)
}

/** 429, or 503 with a time: it says so of our asking, and not of the one address. */
export const asksToWait = ({ answered, retry_after_s }: SiteRefusal): boolean =>
  answered === 429 || (answered === 503 && retry_after_s !== undefined)

const waits = (status: number) => status === 429 || status === 503

function meaning(status: number): string {
  if (status === 404 || status === 410) return ': there is nothing at this address. Check it'
  if (status === 401 || status === 403) return ': it does not let us read this'
  if (status === 429) return ': it is asked too often. Try again later'
  return status >= 500 ? ': it has trouble of its own. Try again later' : ''
}
