/** How the values of variables are written. */
import { z } from 'zod'

export const port = z.coerce.number('a port number').int().min(0).max(65535)
export const wholeNumber = (least: number) =>
  z.coerce.number('a whole number').int('a whole number').min(least, `a whole number, ${least} or more`)
export const address = z.url({
  protocol: /^https?$/,
  error: 'an address that starts with http:// or https://',
  abort: true,
})
const postgres =
  'an address that starts with postgres:// and has the name of a host, because sockets in folders are not supported'
const isNameOfHost = (hostname: string): boolean => hostname !== '' && !/%2f/i.test(hostname)
export const database = z
  .url({ protocol: /^postgres(ql)?$/, error: postgres, abort: true })
  .refine(text => isNameOfHost(new URL(text).hostname) && !/[?&]host=(\/|%2f)/i.test(text), postgres)
/** A password in an address would be part of errors. */
export const endpoint = address.refine(
  text => /^https?:\/\/[^/?#@]+[^?#@]*$/.test(text),
  'an address that starts with http:// or https://, without a user name and a query',
)
/** The message says nothing of the value, which may contain a password. */
export const proxy = z
  .string()
  .refine(
    isProxy,
    'an address such as http://proxy:8888 or socks5://user:password@proxy:1080; other kinds of proxies cannot be used',
  )

/** A user name without a password counts. SOCKS5 allows 255 bytes for each. */
function isProxy(text: string): boolean {
  const url = /^(?:http|socks5h?):\/\/[^/?#\\\s]+\/?$/i.test(text) ? URL.parse(text) : null
  if (!url || url.hostname === '') return false
  try {
    return [url.username, url.password].every(word => Buffer.byteLength(decodeURIComponent(word)) <= 255)
  } catch {
    return false
  }
}
/** Without dots at the beginning of a part of the path, which browsers and proxies resolve. */
export const site = address
  .refine(
    text => /^https?:\/\/[^/?#@\\]+(?:\/[a-z0-9_~-][a-z0-9._~-]*)*\/?$/i.test(text),
    'an address such as https://tv.example.org or https://example.org/backlot, with letters, digits and -._~ in its path',
  )
  .transform(text => text.replace(/\/$/, ''))
/** Octal, as the command `umask` takes it. The first digit is 0, because the service must be able to read its own files. */
export const umask = z
  .string()
  .regex(/^0?0[0-7]{2}$/, 'three octal digits of which the first is 0, such as 077 or 027')
  .transform(digits => Number.parseInt(digits, 8))
/** Without underscores, which proxies drop or take for dashes. */
export const header = z
  .string()
  .max(100, 'a name of at most 100 characters')
  .regex(/^[a-z](?:[a-z0-9-]*[a-z0-9])?$/i, 'the name of a header, such as Remote-User: letters, digits and dashes')
  .refine(name => !has_a_meaning.test(name), 'a header without another meaning, such as Remote-User')
/** What browsers, proxies and this service use otherwise. */
const has_a_meaning =
  /^(?:accept|access-control|content|hx|if|proxy|sec)-|^x-forwarded-(?:by|for|host|method|path|port|prefix|proto|protocol|scheme|server|ssl|uri)$|^(?:accept|authorization|cache-control|connection|cookie|date|dnt|expect|forwarded|host|keep-alive|last-event-id|origin|pragma|range|referer|set-cookie|te|trailer|transfer-encoding|upgrade|upgrade-insecure-requests|user-agent|via)$/i
export const list = z.string().transform(text =>
  text
    .split(',')
    .map(item => item.trim())
    .filter(item => item !== ''),
)

/** The bucket and the prefix in `s3://bucket/prefix`, without slashes at the ends; `undefined` for anything else. */
export function bucketNamed(downloads_dir: string): { bucket: string; prefix: string } | undefined {
  const [, bucket, prefix = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/((?:[\w-][\w.-]*(?:\/|$))*))?$/.exec(downloads_dir) ?? []
  return bucket === undefined ? undefined : { bucket, prefix: prefix.replace(/\/$/, '') }
}

const time_of_day = /^(?:[01]?\d|2[0-3]):[0-5]\d$/

/** `22:00-06:00`; over midnight if it ends earlier than it begins. `undefined`: it is written in another way, or has no minute. */
function spanIn(text: string): { from: string; to: string } | undefined {
  const [from = '', to = '', ...more] = text.split('-').map(time => time.trim())
  if (more.length > 0 || !time_of_day.test(from) || !(time_of_day.test(to) || to === '24:00')) return undefined
  const span = { from: from.padStart(5, '0'), to: to.padStart(5, '0') }
  return span.from === span.to ? undefined : span
}

const hours_form =
  'hours such as 22:00-06:00, or several with commas between them, such as 01:00-06:00,12:30-14:00 (00:00-24:00 is the whole day)'

/** `all`: no span, which is at any time. */
export const hours = list.transform((items, context) => {
  const spans = items.length === 1 && items[0] === 'all' ? [] : items.map(spanIn)
  if (spans.every(span => span !== undefined)) return spans
  context.addIssue(hours_form)
  return z.NEVER
})

/** The slowest rate: with a slower one, yt-dlp would give up connections on which little arrives. */
export const least_bytes_s = 16 * 1024
const rates_form =
  'bytes per second such as 2M, also by hours, such as 2M,23:00-07:00=10M (16K or more, K, M and G of 1024 each, 0 for no limit)'

/** `2M` or `23:00-07:00=10M`. */
function rateIn(text: string): { span: ReturnType<typeof spanIn> | null; bytes_s: number } {
  const [first = '', second, ...more] = text.split('=').map(part => part.trim())
  const [span, rate] = second === undefined ? [null, first] : [spanIn(first), second]
  return { span, bytes_s: more.length > 0 ? Number.NaN : bytesIn(rate) }
}

/** As yt-dlp reads `--limit-rate`: 4.2M are 4.2 times 1024 times 1024. NaN: it is written in another way. */
export function bytesIn(text: string): number {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)([KMG]?)$/i.exec(text) ?? []
  return Math.round(Number(number) * 1024 ** ['', 'K', 'M', 'G'].indexOf(unit.toUpperCase()))
}

/** At most one item has no hours: it counts at all other times. */
export const rates = list.transform((items, context) => {
  const read = items.map(rateIn)
  const right = read.flatMap(({ span, bytes_s }) =>
    span !== undefined && (bytes_s === 0 || bytes_s >= least_bytes_s) ? [{ span, bytes_s }] : [],
  )
  if (right.length === read.length && right.filter(({ span }) => span === null).length <= 1) return right
  context.addIssue(rates_form)
  return z.NEVER
})
