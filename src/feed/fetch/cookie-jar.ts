/**
 * The cookies of one request and its redirects: some sites set a cookie, redirect, and redirect again until it comes back. A cookie returns
 * to the host that set it, or to all hosts of the `Domain` that it names. Ports, `Path` and lifetimes do not count.
 */
import type { IncomingMessage } from 'node:http'
import { getDomain } from 'tldts'
import { youtubeCookies } from '../platforms/youtube.ts'

/** More than any redirect needs. */
const max_characters = 4096

export function createJar() {
  const jar = new Map<string, { isFor: (host: string) => boolean; is_secure: boolean; pair: string }>()

  return {
    keep({ headers }: IncomingMessage, { hostname, protocol }: URL): void {
      for (const line of headers['set-cookie'] ?? []) {
        const [pair = '', ...attributes] = line.split(';').map(part => part.trim())
        const name = /^[^=\s]+(?==)/.exec(pair)?.[0]
        const is_secure = attributes.some(one => /^secure$/i.test(one))
        if (name === undefined || (is_secure && protocol !== 'https:')) continue
        const domain = domainIn(attributes)
        const is_shared = domain !== undefined && isWithin(hostname, domain)
        const isFor = (host: string) => (is_shared ? isWithin(host, domain) : host === hostname)
        jar.set(`${is_shared ? `.${domain}` : hostname} ${name}`, { isFor, is_secure, pair })
      }
    },

    headersFor({ hostname, protocol }: URL): { cookie?: string } {
      const own = [...jar.values()].filter(one => one.isFor(hostname) && (protocol === 'https:' || !one.is_secure))
      const cookie = [...youtubeCookies(hostname), ...own.map(({ pair }) => pair)].join('; ')
      return cookie === '' || cookie.length > max_characters ? {} : { cookie }
    },
  }
}

/** The domain that a cookie names; undefined for none, and for the suffix of many sites, such as `co.uk` or `github.io`. */
function domainIn(attributes: string[]): string | undefined {
  const [, domain = ''] = attributes.map(one => /^domain\s*=\s*\.?(.+)$/i.exec(one)).findLast(found => found) ?? []
  return getDomain(domain, { allowPrivateDomains: true }) === null ? undefined : domain.toLowerCase()
}

const isWithin = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`)
