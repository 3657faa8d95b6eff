/**
 * Decides whether hubs are used at all, and which hub announces a feed. Pure.
 *
 * A hub on the internet must be able to call back, so `PUBLIC_URL` has to be a public https address. The operator's own hubs, listed
 * in `ALLOWED_ADDRESSES`, may call any `PUBLIC_URL`. Without checks by the clock there is no push either: nothing would notice that a
 * hub has stopped.
 */
import { isIP } from 'node:net'
import type { Config } from '../../config/config.ts'
import { youtubeHubOf } from '../../feed/platforms/youtube-channel.ts'
import { isPublic, listedIn } from '../../net/addresses.ts'
import type { Feed, FeedHub } from '../../schema/sources/feed.ts'
import { max_address } from '../../schema/values/stored.ts'

export type PushSettings = {
  /** The address of a callback without its id. */
  callbacks: string
  /** The hub as it is requested. `undefined`: it is not used. */
  usable(named: FeedHub): FeedHub | undefined
}

type PushConfig = Pick<Config, 'PUBLIC_URL' | 'REFRESH_INTERVAL_MINUTES' | 'ALLOWED_ADDRESSES'>

/** `undefined`: push is off. */
export function pushSettings({ PUBLIC_URL, REFRESH_INTERVAL_MINUTES, ALLOWED_ADDRESSES }: PushConfig) {
  if (PUBLIC_URL === undefined || REFRESH_INTERVAL_MINUTES === 0) return undefined
  const isOurs = listedIn(ALLOWED_ADDRESSES)
  const can_be_called = isCalledFromOutside(new URL(PUBLIC_URL))
  const settings: PushSettings = {
    callbacks: new URL('push/', `${PUBLIC_URL}/`).href,
    usable({ hub, topic }) {
      const url = new URL(hub)
      if (isOurs(url.hostname)) return { hub, topic }
      const secure = can_be_called ? overHttps(url) : undefined
      return secure === undefined ? undefined : { hub: secure, topic }
    },
  }
  return settings
}

/** The key of the signatures must not cross the network in the clear. Old feeds name their hub with http, and it has https too. */
function overHttps({ protocol, port, href }: URL): string | undefined {
  const secure = href.replace(/^http:/, 'https:')
  const is_usual = protocol === 'https:' || port === ''
  return is_usual && secure.length <= max_address ? secure : undefined
}

function isCalledFromOutside({ protocol, hostname }: URL): boolean {
  if (protocol !== 'https:') return false
  const host = hostname.replace(/^\[|\]$/g, '')
  return isIP(host) > 0 ? isPublic(host) : host.includes('.') && !inside_name.test(host)
}

/** Names that no resolver on the internet knows. */
const inside_name = /(^|\.)(localhost|localdomain|internal|local|lan|home\.arpa|test|example|invalid)\.?$/

/**
 * The hub to use. `null`: none. `undefined`: unknown, because the feed was not read. `feed`: as it was just read; not given: it has not
 * changed.
 */
export function hubFor(settings: PushSettings, rss_url: string, feed: Feed | undefined): FeedHub | null | undefined {
  const named = youtubeHubOf(rss_url) ?? feed?.hub
  if (named === undefined) return feed ? null : undefined
  return settings.usable(named) ?? null
}
