/**
 * The cookies of one request and its redirects: some sites set a cookie, redirect, and redirect again until it comes back. A cookie returns
 * to the host that set it and to no other, whatever its `Domain` and `Path` say, so no list of public suffixes is needed.
 */
import type { IncomingMessage } from 'node:http'
import { youtubeCookies } from '../platforms/youtube.ts'

/** More than any redirect needs. */
const max_characters = 4096

export function createJar() {
  const jar = new Map<string, { host: string; is_secure: boolean; pair: string }>()

  return {
    keep({ headers }: IncomingMessage, { host, protocol }: URL): void {
      for (const line of headers['set-cookie'] ?? []) {
        const [pair = '', ...attributes] = line.split(';').map(part => part.trim())
        const name = /^[^=\s]+(?==)/.exec(pair)?.[0]
        const is_secure = attributes.some(one => /^secure$/i.test(one))
        if (name === undefined || (is_secure && protocol !== 'https:')) continue
        if (attributes.some(isOver)) jar.delete(`${host} ${name}`)
        else jar.set(`${host} ${name}`, { host, is_secure, pair })
      }
    },

    headersFor({ host, hostname, protocol }: URL): { cookie?: string } {
      const own = [...jar.values()].filter(one => one.host === host && (protocol === 'https:' || !one.is_secure))
      const cookie = [...youtubeCookies(hostname), ...own.map(({ pair }) => pair)].join('; ')
      return cookie === '' || cookie.length > max_characters ? {} : { cookie }
    },
  }
}

/** How a site deletes a cookie. */
const isOver = (attribute: string): boolean =>
  /^max-age=(?:0|-)/i.test(attribute) || (/^expires=/i.test(attribute) && Date.parse(attribute.slice(8)) < Date.now())
