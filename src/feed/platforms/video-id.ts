/** The identifier of a video, from its address alone. Pure. */
import { createHash } from 'node:crypto'
import { canonicalUrl, of_the_moment, webUrlOf } from '../markup/web-url.ts'

/**
 * At most 200 of `A–Z a–z 0–9 . _ -`, never with a dot in front, so that it may name a file. The platform's own where it is known:
 * YouTube's bare, others' with the platform before a dot, which no YouTube identifier has. Otherwise readable and hashed.
 * Undefined for what is no web address.
 */
export function videoIdOf(url: string): string | undefined {
  const address = webUrlOf(url)
  return address === undefined ? undefined : (platformVideoIdOf(address) ?? readableIdOf(address))
}

/** Undefined unless the address is a video's page on a platform we know. */
export function platformVideoIdOf(url: string): string | undefined {
  const { hostname, pathname, searchParams } = new URL(url)
  const host = hostname.replace(/^(www|m|music|gaming)\./, '')
  for (const { name, hosts, idIn } of platforms) {
    if (!hosts.test(host)) continue
    const id = idIn(pathname, searchParams)
    if (id === undefined) continue
    const prefix = name === 'peertube' ? `${host}.` : name && `${name}.`
    return `${prefix}${id}`
  }
  return undefined
}

/** A name in front for people, a hash behind for certainty: of the address, and of the entry's name where that is needed. */
export function readableIdOf(address: string, name?: string): string {
  const { pathname } = new URL(address)
  // Of a page these may be what tells it from the next.
  const canonical = canonicalUrl(address, media_file.test(pathname) ? of_the_moment : undefined)
  const hash = createHash('sha256')
    .update(name === undefined ? canonical : `${canonical}\n${name}`)
    .digest('hex')
    .slice(0, 16)
  const [host = ''] = canonical.split(/[/?#]/, 1)
  const last = pathname.split('/').findLast(segment => segment !== '') ?? host
  const slug = last
    .replace(/\.[A-Za-z0-9]{1,5}$/, '')
    .replace(/%[0-9A-Fa-f]{2}|[^A-Za-z0-9_-]+/g, '-')
    .replace(/-{2,}/g, '-')
    .slice(0, 60)
    .replace(/^[-_]+|[-_]+$/g, '')
  return slug === '' ? `v.${hash}` : `${slug}.${hash}`
}

const media_file = /\.(mp4|m4v|mov|webm|mkv|ogv|avi|mpe?g|flv|m3u8|mpd|ts|mp3|m4a|aac|ogg|oga|opus|flac|wav)$/i

type Platform = {
  /** In front of the identifier; `''` for none. */
  name: string
  hosts: RegExp
  idIn(path: string, query: URLSearchParams): string | undefined
}

const byPath = (pattern: RegExp) => (path: string) => pattern.exec(path)?.[1]
const youtube_id = /^[A-Za-z0-9_-]{11}$/

/** PeerTube writes one identifier in two ways, and went from the long to the short between versions. */
function uuidOf(short: string): string | undefined {
  const number = [...short].reduce((sum, digit) => sum * 58n + BigInt(digits.indexOf(digit)), 0n)
  const hex = number.toString(16).padStart(32, '0')
  return hex.length > 32 ? undefined : hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
const digits = '123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ'

/** Bilibili's old numbers and the codes that replaced them name the same videos. */
function bilibiliIdOf(path: string, query: URLSearchParams): string | undefined {
  const [, code = query.get('bvid') ?? '', number = query.get('aid') ?? '', episode] =
    /^\/(?:video\/)?(?:(BV1[1-9A-Za-z]{9})|av(\d{1,16}))(?:\/|$)|^\/bangumi\/play\/(ep\d{1,12})(?:\/|$)/i.exec(path) ??
    []
  if (episode !== undefined) return episode.toLowerCase()
  const id = /^BV1[1-9A-Za-z]{9}$/i.test(code)
    ? `BV${code.slice(2)}`
    : /^\d{1,16}$/.test(number)
      ? codeOf(BigInt(number))
      : undefined
  const part = query.get('p') ?? query.get('page') ?? '1'
  return id && (/^[1-9]\d{0,3}$/.test(part) && part !== '1' ? `${id}_p${part}` : id)
}

/** As Bilibili turns one into the other; undefined for a number that is too large. */
function codeOf(number: bigint): string | undefined {
  if (number >= 1n << 51n) return undefined
  const places = [8, 7, 0, 5, 1, 3, 2, 4, 6]
  const code: string[] = []
  let rest = ((1n << 51n) | number) ^ 23442827791579n
  for (const place of places) {
    code[place] = bilibili_digits.charAt(Number(rest % 58n))
    rest /= 58n
  }
  return `BV1${code.join('')}`
}
const bilibili_digits = 'FcwAPNKTMug3GV5Lj7EJnHpWsx4tb8haYeviqBz6rkCy12mUSDQX9RdoZf'

const platforms: Platform[] = [
  { name: '', hosts: /^youtu\.be$/, idIn: byPath(/^\/([A-Za-z0-9_-]{11})(?:\/|$)/) },
  {
    name: '',
    hosts: /(^|\.)youtube(-nocookie|kids)?\.com$/,
    idIn(path, query) {
      const watched = /^\/watch(_popup)?\/?$/.test(path) ? query.get('v') : null
      if (watched !== null) return youtube_id.test(watched) ? watched : undefined
      return /^\/(?:shorts|embed|live|v|e|watch)\/([A-Za-z0-9_-]{11})(?:\/|$)/.exec(path)?.[1]
    },
  },
  { name: 'vimeo', hosts: /^(player\.)?vimeo\.com$/, idIn: byPath(/^(?:\/[a-z][\w-]*){0,4}\/(\d{4,12})(?:\/|$)/) },
  { name: 'dailymotion', hosts: /^dai\.ly$/, idIn: byPath(/^\/([a-z0-9]{5,20})(?:\/|$)/) },
  { name: 'dailymotion', hosts: /^(geo\.)?dailymotion\.com$/, idIn: byPath(/^\/(?:embed\/)?video\/([a-z0-9]{5,20})/) },
  { name: 'odysee', hosts: /^(odysee\.com|lbry\.tv)$/, idIn: byPath(/[:#]([0-9a-f]{40})\/?$/) },
  { name: 'twitch', hosts: /^twitch\.tv$/, idIn: byPath(/^\/videos\/(\d{6,15})/) },
  { name: 'rumble', hosts: /^rumble\.com$/, idIn: byPath(/^\/(?:embed\/)?(v[a-z0-9]{4,12})(?:[-/.]|$)/) },
  { name: 'bitchute', hosts: /^bitchute\.com$/, idIn: byPath(/^\/(?:video|embed)\/([A-Za-z0-9_-]{8,20})(?:\/|$)/) },
  { name: 'bilibili', hosts: /^(?:player\.)?bilibili\.com$|^b23\.tv$/, idIn: bilibiliIdOf },
  {
    // On a host of anybody's: known by its paths, and its identifiers are its own host's.
    name: 'peertube',
    hosts: /^[a-z0-9.-]{1,100}$/,
    idIn(path) {
      const id = /^\/(?:w|videos\/(?:watch|embed))\/([\w-]{22,36})\/?$/.exec(path)?.[1] ?? ''
      if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return id
      return /^[1-9A-HJ-NP-Za-km-z]{22}$/.test(id) ? uuidOf(id) : undefined
    },
  },
]
