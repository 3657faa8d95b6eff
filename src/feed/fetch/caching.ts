/** Conditional requests, and how long a host wants us to wait for the next one. Pure; RFC 9110 and 9111. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Known } from '../../schema/sources/feed.ts'

/** The caching headers of an answer. */
export type Caching = {
  etag: string | null
  last_modified: string | null
  /** Seconds for which the answer stays fresh; `null`: not given, or not cacheable. */
  fresh_s: number | null
}

/** Longer validators are ignored. */
const max_characters = 1000

export const conditionsOf = ({
  etag,
  last_modified,
}: Pick<Known, 'etag' | 'last_modified'>): Record<string, string> => ({
  ...(etag !== null && { 'if-none-match': etag }),
  ...(last_modified !== null && { 'if-modified-since': last_modified }),
})

export function cachingOf(headers: IncomingHttpHeaders, now: Date): Caching {
  return {
    etag: validator(headers.etag),
    last_modified: validator(headers['last-modified']),
    fresh_s: freshness(headers, now),
  }
}

const validator = (value: string | undefined): string | null =>
  value !== undefined && value !== '' && value.length <= max_characters ? value : null

function freshness({ 'cache-control': control = '', expires, date, age }: IncomingHttpHeaders, now: Date) {
  if (/\bno-(cache|store)\b/i.test(control)) return null
  const max_age = /(?:^|[\s,])max-age\s*=\s*"?(\d{1,10})/i.exec(control)?.[1]
  const until = Date.parse(expires ?? '')
  const since = Date.parse(date ?? '') || now.getTime()
  const seconds =
    max_age !== undefined
      ? Number(max_age) - (Number(age) || 0)
      : Number.isNaN(until)
        ? 0
        : Math.round((until - since) / 1000)
  return seconds > 0 ? seconds : null
}

/** `Retry-After`, given in seconds or as a date. Returns seconds, at most a day; undefined when it is not valid. */
export function retryAfterOf(value: string | undefined, now: Date): number | undefined {
  const text = value?.trim() ?? ''
  const seconds = /^\d{1,10}$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now.getTime()) / 1000)
  return seconds > 0 ? Math.min(seconds, day_s) : undefined
}

const day_s = 24 * 3600
