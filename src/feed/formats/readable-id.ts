/** Identifiers made from an address, for videos of unknown platforms. They are stored, so they must never change. Pure. */
import { hash } from 'node:crypto'
import { canonicalUrl, of_the_moment } from '../markup/web-url.ts'

/** `named`: an identifier for the same address that also depends on a name, where several entries have that address. */
export type ReadableId = { id: string; named(name: string): string }

/**
 * At most 200 of `A–Z a–z 0–9 . _ -`, never beginning with a dot, so that it can name a file: a readable part for people, then
 * a hash of the address.
 */
export function readableIdOf(address: string): ReadableId {
  const url = new URL(address)
  const { pathname } = url
  // In the address of a page, the same parameters may name the page.
  const canonical = canonicalUrl(url, media_file.test(pathname) ? of_the_moment : undefined)
  const [host = ''] = canonical.split(/[/?#]/, 1)
  const last = pathname.split('/').findLast(segment => segment !== '') ?? host
  const slug = last
    .replace(/\.[A-Za-z0-9]{1,5}$/, '')
    .replace(/%[0-9A-Fa-f]{2}|[^A-Za-z0-9_-]+/g, '-')
    .replace(/-{2,}/g, '-')
    .slice(0, 60)
    .replace(/^[-_]+|[-_]+$/g, '')
  const idFor = (text: string) => `${slug || 'v'}.${hash('sha256', text).slice(0, 16)}`
  return { id: idFor(canonical), named: name => idFor(`${canonical}\n${name}`) }
}

const media_file = /\.(mp4|m4v|mov|webm|mkv|ogv|avi|mpe?g|flv|m3u8|mpd|ts|mp3|m4a|aac|ogg|oga|opus|flac|wav)$/i

/** Whether an address is that of a video or sound file, as far as its path says. */
export const isMediaFile = (address: string): boolean => media_file.test(new URL(address).pathname)
