/** Identifiers made from an address, for videos of unknown platforms. They are stored, so they must never change. Pure. */
import { createHash } from 'node:crypto'
import { canonicalUrl, of_the_moment } from '../markup/web-url.ts'

/**
 * At most 200 of `A–Z a–z 0–9 . _ -`, never beginning with a dot, so that it can name a file: a readable part for people, then
 * a hash of the address. `name`: goes into the hash where several entries have one address.
 */
export function readableIdOf(address: string, name?: string): string {
  const { pathname } = new URL(address)
  // In the address of a page, the same parameters may name the page.
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
