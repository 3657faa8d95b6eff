/** Finds variables that are right alone and wrong together. */
import { isTimeZone } from '../schema/values/local-time.ts'
import { bucketNamed } from './variable-types.ts'
import type { Config } from './variables.ts'

/** What is wrong with variables that are right alone. */
export function conflictsIn(config: Config): string[] {
  return [
    ...conflictsOfProxies(config),
    ...conflictsOfProvider(config),
    ...conflictsOfBucket(config),
    ...(config.FEED_PROXY === 'on' && !config.DOWNLOAD_PROXY
      ? ['DOWNLOAD_PROXY should be set, because FEED_PROXY is on']
      : []),
    ...conflictsOfHours(config),
    ...(config.SMTP_URL && !config.MAIL_FROM ? ['MAIL_FROM should be set, because SMTP_URL is'] : []),
  ]
}

const conflictsOfProxies = ({ AUTH_HEADER, TRUSTED_PROXIES }: Config): string[] =>
  AUTH_HEADER !== undefined && TRUSTED_PROXIES.length === 0
    ? ['TRUSTED_PROXIES should name the proxy that sends AUTH_HEADER, because it is believed from nowhere else']
    : []

function conflictsOfProvider(config: Config): string[] {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID, ALLOWED_ADDRESSES } = config
  if (!issuer) {
    const useless = (['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_ADMIN_GROUP'] as const).filter(name => config[name])
    return useless.map(name => `OIDC_ISSUER should be set, because ${name} is`)
  }
  const { protocol, host, hostname } = new URL(issuer)
  const may_be_open = isLoopback(hostname) || [host, hostname].some(name => ALLOWED_ADDRESSES.includes(name))
  return [
    ...(OIDC_CLIENT_ID ? [] : ['OIDC_CLIENT_ID should be set, because OIDC_ISSUER is']),
    ...(protocol === 'https:' || may_be_open
      ? []
      : ['OIDC_ISSUER should start with https://, or its host should be in ALLOWED_ADDRESSES']),
  ]
}

const isLoopback = (hostname: string): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)

function conflictsOfBucket(config: Config): string[] {
  const { STREAM_OFFLOAD, MEDIA_DIR } = config
  if (!bucketNamed(config.DOWNLOADS_DIR))
    return STREAM_OFFLOAD === 'signed-url' ? ['STREAM_OFFLOAD should be off unless DOWNLOADS_DIR is a bucket'] : []
  const needed = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const
  const endpoint = config.AWS_ENDPOINT_URL_S3 ?? config.AWS_ENDPOINT_URL
  return [
    ...needed.filter(name => !config[name]).map(name => `${name} should be set, because DOWNLOADS_DIR is a bucket`),
    ...(config.AWS_REGION || endpoint ? [] : ['AWS_REGION should be set to the region of the bucket']),
    ...(MEDIA_DIR
      ? ['MEDIA_DIR should not be set, because it links to files in a folder and DOWNLOADS_DIR is a bucket']
      : []),
  ]
}

function conflictsOfHours({ DOWNLOAD_HOURS, DOWNLOAD_RATE, TZ }: Config): string[] {
  if (TZ === undefined || isTimeZone(TZ)) return []
  const readers = [
    ...(DOWNLOAD_HOURS.length > 0 ? ['DOWNLOAD_HOURS'] : []),
    ...(DOWNLOAD_RATE.some(({ span }) => span !== null) ? ['DOWNLOAD_RATE'] : []),
  ]
  return readers.map(name => `TZ should be the name of a time zone, such as Europe/Zurich, because ${name} has hours`)
}
