/** Reads Netscape's cookie files, as browsers' extensions and yt-dlp write them, and writes them for yt-dlp. Pure. */
// The list of public suffixes, with no other dependency; tough-cookie uses it, too.
import { parse } from 'tldts'

type Cookie = {
  /** Without a dot at its start. */
  domain: string
  /** Whether the hosts below the domain get it, too. */
  is_for_below: boolean
  path: string
  /** Seconds since 1970; 0: it lasts as long as the browser runs. */
  expires_s: number
  name: string
  value: string
}

/**
 * The host that a name or an address means, without a `www.` in front, because sites set their cookies for all their hosts. `undefined`: it
 * is no host of a site, but for example an address of a machine, or a suffix such as `co.uk` or `github.io`.
 */
export function cookieHost(text: string): string | undefined {
  const typed = text.trim()
  const url = URL.parse(/^https?:\/\//i.test(typed) ? typed : `https://${typed}`)
  const host = url?.hostname.replace(/^\.+|\.$/g, '') ?? ''
  if (!/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(host) || host.length > 253 || !isOfSite(host)) return undefined
  const bare = host.replace(/^www\./, '')
  return isOfSite(bare) ? bare : host
}

function isOfSite(host: string): boolean {
  const { domain, isIp } = parse(host, { allowPrivateDomains: true })
  return domain !== null && !isIp
}

/** Whether a host gets what belongs to `domain`. */
export const isWithin = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`)

/** The host and those above it that can have cookies, the nearest first. */
export function hostsAbove(host: string): string[] {
  const parts = host.split('.')
  return parts.map((_, n) => parts.slice(n).join('.')).filter(isOfSite)
}

/** `'no_file'`: the text is no cookie file. Cookies that have expired are left out. */
export function readCookies(text: string, host: string, now: Date): Cookie[] | 'no_file' {
  const cookies = validCookies(text, now)
  return cookies === 'no_file' ? cookies : cookies.filter(({ domain }) => isWithin(domain, host))
}

/** The nearest host above `host` that has cookies in the text. */
export function hostAboveIn(text: string, host: string, now: Date): string | undefined {
  const cookies = validCookies(text, now)
  const domains = new Set(cookies === 'no_file' ? [] : cookies.map(({ domain }) => domain))
  return hostsAbove(host).find(above => domains.has(above))
}

function validCookies(text: string, now: Date): Cookie[] | 'no_file' {
  const lines = text.replace(/^\ufeff/, '').split(/[\r\n]+/, max_lines)
  const cookies = lines.flatMap(line => cookieIn(line) ?? [])
  if (cookies.length === 0) return 'no_file'
  const now_s = now.getTime() / 1000
  return cookies.filter(({ expires_s }) => expires_s === 0 || expires_s > now_s)
}

/** A browser keeps about 3,000 cookies. More lines would take the process a second. */
const max_lines = 10_000

/** When the last of them expires. Null: none says when. */
export function lastExpiry(cookies: Cookie[]): Date | null {
  const last_s = Math.max(...cookies.map(({ expires_s }) => expires_s))
  return last_s > 0 ? new Date(Math.min(last_s * 1000, last_date_ms)) : null
}

/** A year of five digits is not valid in the API. */
const last_date_ms = Date.UTC(9999, 11, 31)

/** A comment, but for these words, which mark a cookie that scripts cannot read. */
const http_only = /^#HttpOnly_/

function cookieIn(line: string): Cookie | undefined {
  const written = line.replace(http_only, '')
  if (written.startsWith('#')) return undefined
  const by_tabs = written.split('\t', 8)
  // A tab becomes spaces where text is copied from a terminal.
  const fields = by_tabs.length === 7 ? by_tabs : written.trim().split(/\s+/, 8)
  const [domain = '', for_below = '', path = '', secure = '', expires = '', name = '', value = ''] = fields
  if (fields.length > 7 || fields.length < 6 || !/^(TRUE|FALSE)$/i.test(for_below) || !/^(TRUE|FALSE)$/i.test(secure))
    return undefined
  const host = domain.toLowerCase().replace(/^\./, '')
  const is_plain = /^[a-z0-9.-]+$/.test(host) && /^\/[\x20-\x7e]*$/.test(path) && /^\d*(\.\d+)?$/.test(expires)
  if (!is_plain || !is_name.test(name) || !is_value.test(value)) return undefined
  const is_for_below = domain.startsWith('.') || /^TRUE$/i.test(for_below)
  return { domain: host, is_for_below, path, expires_s: Math.floor(Number(expires)), name, value }
}

/** What a header can carry. */
const is_name = /^[\x21-\x3a\x3c\x3e-\x7e]+$/
const is_value = /^[\x20-\x3a\x3c-\x7e\x80-\u{10ffff}]*$/u

/** As yt-dlp reads it. Each cookie goes over https only, whatever the browser did. */
export const writeCookies = (cookies: Cookie[]): string =>
  ['# Netscape HTTP Cookie File', ...cookies.map(lineOf), ''].join('\n')

const lineOf = ({ domain, is_for_below, path, expires_s, name, value }: Cookie) =>
  [is_for_below ? `.${domain}` : domain, isTrue(is_for_below), path, 'TRUE', expires_s, name, value].join('\t')

const isTrue = (flag: boolean) => (flag ? 'TRUE' : 'FALSE')
