/** Turns a site's answer into a document, no news, or a refusal. Redirects are up to `fetch.ts`. */
import type { IncomingMessage } from 'node:http'
import { DomainError } from '../../errors.ts'
import { notFoundWords } from '../../schema/channels/channel.ts'
import type { FetchedDocument } from '../document.ts'
import { decodedBody } from './body.ts'
import { type Caching, cachingOf, retryAfterOf } from './caching.ts'
import type { Share } from './memory.ts'

/** Without `document`: nothing has changed. */
export type Answer = { document?: FetchedDocument; caching: Caching }

/** The site answered, but not with a document. `answered`: the status. `host`: the one behind all redirects, with its port. */
export class SiteRefusal extends DomainError {
  readonly answered: number
  readonly host: string

  constructor(answered: number, retry_after_s: number | undefined, host: string) {
    super('feed_failed', sentenceFor(answered, host), retry_after_s === undefined ? {} : { retry_after_s })
    this.answered = answered
    this.host = host
  }
}

/** `conditional`: the request asked for news only. */
export async function readAnswer(
  response: IncomingMessage,
  url: URL,
  { conditional, max_bytes, share }: { conditional: boolean; max_bytes: number; share: Share },
): Promise<Answer> {
  const { statusCode = 0, headers } = response
  const caching = cachingOf(headers, new Date())
  if (statusCode === 200) {
    const body = await decodedBody(response, headers['content-encoding'], max_bytes, share)
    const link = headers.link === undefined ? undefined : String(headers.link)
    return { document: { url: url.href, content_type: headers['content-type'] ?? '', body, link }, caching }
  }
  if (statusCode === 304 && conditional) {
    response.resume()
    return { caching }
  }
  response.destroy()
  throw refusalOf(response, url)
}

/** For an answer without a document. */
export function refusalOf({ statusCode = 0, headers }: IncomingMessage, url: URL): SiteRefusal {
  const retry_after_s = waits(statusCode) ? retryAfterOf(headers['retry-after'], new Date()) : undefined
  return new SiteRefusal(statusCode, retry_after_s, url.host)
}

/** 429, or 503 with a time: the host wants fewer requests, whatever the address. */
export const asksToWait = ({ answered, retry_after_s }: SiteRefusal): boolean =>
  answered === 429 || (answered === 503 && retry_after_s !== undefined)

const waits = (status: number) => status === 429 || status === 503

function sentenceFor(status: number, host: string): string {
  if (status === 404 || status === 410) return notFoundWords(status)
  if (status === 401 || status === 403) return `${host} does not allow access (${status}).`
  if (status === 429) return `${host} asks us to slow down (429). Try again later.`
  if (status >= 500) return `${host} has a problem (${status}). Try again later.`
  return `${host} answered with an unexpected status (${status}).`
}
