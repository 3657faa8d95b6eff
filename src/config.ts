/**
 * The settings: every variable, with its unit and default. They are read here and nowhere else, but for what is needed before or without
 * this file: DATA_DIR by `runtime/modules.ts`, PUID, PGID and the folders by `runtime/user.ts`, HOST and PORT by `healthy.ts`. Outside of
 * it, code reads only what the system itself sets: `PATH` and Windows' `SystemRoot` to start programs, and npm's `npm_lifecycle_event`.
 */
import { readFileSync } from 'node:fs'
import { z } from 'zod'

const port = z.coerce.number('a port number').int().min(0).max(65535)
const wholeNumber = (least: number) =>
  z.coerce.number('a whole number').int('a whole number').min(least, `a whole number, ${least} or more`)
const address = z.url({ protocol: /^https?$/, error: 'an address that starts with http:// or https://', abort: true })
/** A password in an address would be part of errors. */
const endpoint = address.refine(
  text => /^https?:\/\/[^/?#@]+[^?#@]*$/.test(text),
  'an address that starts with http:// or https://, without a user name and a query',
)
/** Without dots at the beginning of a part of the path, which browsers and proxies resolve. */
const site = address
  .refine(
    text => /^https?:\/\/[^/?#@\\]+(?:\/[a-z0-9_~-][a-z0-9._~-]*)*\/?$/i.test(text),
    'an address such as https://tv.example.org or https://example.org/backlot, with letters, digits and -._~ in its path',
  )
  .transform(text => text.replace(/\/$/, ''))
/** Octal, as the command `umask` takes it. The first digit is 0, because the service must be able to read its own files. */
const umask = z
  .string()
  .regex(/^0?0[0-7]{2}$/, 'three octal digits of which the first is 0, such as 077 or 027')
  .transform(digits => Number.parseInt(digits, 8))
/** Without underscores, which proxies drop or take for dashes. */
const header = z
  .string()
  .max(100, 'a name of at most 100 characters')
  .regex(/^[a-z](?:[a-z0-9-]*[a-z0-9])?$/i, 'the name of a header, such as Remote-User: letters, digits and dashes')
  .refine(name => !has_a_meaning.test(name), 'a header without another meaning, such as Remote-User')
/** What browsers, proxies and this service use otherwise. */
const has_a_meaning =
  /^(?:accept|access-control|content|hx|if|proxy|sec)-|^x-forwarded-(?:by|for|host|method|path|port|prefix|proto|protocol|scheme|server|ssl|uri)$|^(?:accept|authorization|cache-control|connection|cookie|date|dnt|expect|forwarded|host|keep-alive|last-event-id|origin|pragma|range|referer|set-cookie|te|trailer|transfer-encoding|upgrade|upgrade-insecure-requests|user-agent|via)$/i
const list = z.string().transform(text =>
  text
    .split(',')
    .map(item => item.trim())
    .filter(item => item !== ''),
)

const Variables = z.object({
  PORT: port.default(8000),
  HOST: z.string().default('127.0.0.1'),
  /** The embedded Postgres in `DATA_DIR` unless set. */
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'an address that starts with postgres://' }).optional(),
  DATA_DIR: z.string().default('.data'),
  /** A folder, or `s3://bucket/prefix`: object storage, which the variables with AWS in their names describe. */
  DOWNLOADS_DIR: z
    .string()
    .refine(place => !/^s3:/i.test(place) || bucketNamed(place) !== undefined, 'a folder or s3://bucket/prefix')
    .default('downloads'),
  AWS_ACCESS_KEY_ID: z.string().optional(),
  AWS_SECRET_ACCESS_KEY: z.string().optional(),
  AWS_SESSION_TOKEN: z.string().optional(),
  AWS_REGION: z.string().optional(),
  /** Storage that is not Amazon's. The first one has priority. */
  AWS_ENDPOINT_URL_S3: endpoint.optional(),
  AWS_ENDPOINT_URL: endpoint.optional(),
  /** `on`: a video that several people download in one quality is fetched and stored once. */
  SHARE_FILES: z.enum(['on', 'off'], 'on or off').default('on'),
  /** A folder of links for media servers, a folder per person in it. */
  MEDIA_DIR: z.string().optional(),
  /** Hours in which a deleted file or an unfollowed channel can be restored; 0: not at all. */
  BIN_HOURS: wholeNumber(0).default(24),
  /** Taken from each request unless set. Only if it is set, hubs can announce new videos: they call it. */
  PUBLIC_URL: site.optional(),
  /** Addresses or CIDRs of proxies whose X-Forwarded headers are trusted; `loopback` is this machine. */
  TRUSTED_PROXIES: list.default([]),
  /** A header with the name of the person who sends a request. Only trusted proxies may send it. */
  AUTH_HEADER: header.optional(),
  /** Channels that one person may follow; 0: no limit. */
  USER_CHANNELS: wholeNumber(0).default(5000),
  /** Videos that are kept for one person, over all channels; 0: no limit. */
  USER_VIDEOS: wholeNumber(0).default(1_000_000),
  /** Downloads at once in this process. */
  WORKER_CONCURRENCY: wholeNumber(1).default(2),
  /** Downloads of one host at once, over all workers. */
  HOST_CONCURRENCY: wholeNumber(1).default(2),
  /** Seconds between two downloads of one host; 0: none. Does not apply to hosts in ALLOWED_ADDRESSES. */
  HOST_PAUSE_SECONDS: wholeNumber(0).default(5),
  /** Megabytes that stay free on the disk of the downloads; 0: downloads may fill it. */
  MIN_FREE_MB: wholeNumber(0).default(256),
  /** Gigabytes that one person may keep; 0: no limit. */
  USER_QUOTA_GB: z.coerce.number('a number').min(0, 'a number, 0 or more').default(0),
  /** A download is stopped when yt-dlp prints nothing for this many seconds. */
  DOWNLOAD_SILENCE_SECONDS: wholeNumber(1).default(120),
  /** Minutes between two refreshes of a feed; 0: feeds are refreshed only by hand. */
  REFRESH_INTERVAL_MINUTES: wholeNumber(0).default(30),
  /** Private hosts, `host:port`s or CIDRs from which feeds and videos may come although they are not public. */
  ALLOWED_ADDRESSES: list.default([]),
  /** The service that names the parts of a video to skip. Empty: none is asked. */
  SPONSORBLOCK_URL: z.union([z.literal(''), endpoint]).default('https://sponsor.ajay.app'),
  /** Found on this machine, or fetched, unless set. */
  YTDLP_PATH: z.string().optional(),
  FFMPEG_PATH: z.string().optional(),
  /** Which releases of yt-dlp are fetched. */
  YTDLP_CHANNEL: z.enum(['stable', 'nightly'], 'stable or nightly').default('stable'),
  /** `off`: no tool is fetched. The message about a missing tool names the command that fetches it. */
  INSTALL_TOOLS: z.enum(['on', 'off'], 'on or off').default('on'),
  /** `x-accel`: nginx in front of this process sends the files. `signed-url`: browsers fetch them from the bucket. */
  STREAM_OFFLOAD: z.enum(['off', 'x-accel', 'signed-url'], 'off, x-accel or signed-url').default('off'),
  REGISTRATION: z.enum(['open', 'closed'], 'open or closed').default('open'),
  /** The OpenID provider by which people sign in. The other variables of OIDC describe it. */
  OIDC_ISSUER: endpoint.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  /** A public client has none. */
  OIDC_CLIENT_SECRET: z.string().optional(),
  /** The name of the provider on pages. */
  OIDC_LABEL: z.string().trim().max(40, 'a name of at most 40 characters').default('Single sign-on'),
  /** `on`: a person who is not linked to an account gets a new one. */
  OIDC_REGISTRATION: z.enum(['on', 'off'], 'on or off').default('off'),
  /** Members of this group are administrators, and others are not. Unless set, the provider does not decide it. */
  OIDC_ADMIN_GROUP: z.string().optional(),
  /** Opens `/metrics`. Unless it is set, there is no such page. */
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,200}$/, '16 to 200 characters without spaces, such as openssl rand -hex 24 prints')
    .optional(),
  /** The server that sends mail; `smtps:` from the first byte encrypted. Unless set, no mail is sent. */
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'an address that starts with smtp:// or smtps://' }).optional(),
  /** The sender of mail. */
  MAIL_FROM: z
    .string()
    .regex(
      /^[^\p{Cc}<>@]*<?[^\s\p{Cc}<>@]+@[^\s\p{Cc}<>@]+>?$/u,
      'an address such as backlot@example.org or Backlot <backlot@example.org>',
    )
    .optional(),
  /** Permissions that new files and folders do not get. */
  UMASK: umask.prefault('077'),
  LOG_LEVEL: z
    .enum(
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
      'trace, debug, info, warn, error, fatal or silent',
    )
    .default('info'),
  PATH: z.string().default(''),
})

export type Config = z.infer<typeof Variables>

/** What the web app reads. */
export type WebConfig = Pick<Config, 'PUBLIC_URL' | 'REGISTRATION'> &
  Partial<
    Pick<
      Config,
      | 'HOST'
      | 'TRUSTED_PROXIES'
      | 'AUTH_HEADER'
      | 'STREAM_OFFLOAD'
      | 'SHARE_FILES'
      | 'BIN_HOURS'
      | 'USER_CHANNELS'
      | 'USER_VIDEOS'
      | 'USER_QUOTA_GB'
      | 'MIN_FREE_MB'
      | 'OIDC_REGISTRATION'
      | 'OIDC_ADMIN_GROUP'
      | 'METRICS_TOKEN'
      | 'SMTP_URL'
      | 'DOWNLOADS_DIR'
    >
  >

/** Each of them may be given as `<NAME>_FILE`, too: the path of a file that holds the value. */
const secrets = [
  'DATABASE_URL',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'OIDC_CLIENT_SECRET',
  'METRICS_TOKEN',
  'SMTP_URL',
] as const

type Environment = Record<string, string | undefined>

/** Throws one sentence that names all wrong variables. An empty variable counts as not set, unless that turns something off. */
export function readConfig(env: Environment): Config {
  const isGiven = ([name, value]: [string, unknown]) => value !== '' || name === 'SPONSORBLOCK_URL'
  const given: Environment = Object.fromEntries(Object.entries(env).filter(isGiven))
  const { found, unreadable } = secretsInFiles(given)
  const read = Variables.safeParse({ ...given, ...found })
  const faults = read.success
    ? conflictsIn(read.data)
    : read.error.issues.map(({ path, message }) => `${String(path[0])} should be ${message}`)
  if (read.success && faults.length + unreadable.length === 0) return read.data
  throw new Error(`Wrong configuration: ${[...unreadable, ...faults].join('; ')}.`)
}

/** Reads the secrets that are given as files. `unreadable`: a sentence for each one that cannot be read, without its text. */
function secretsInFiles(given: Environment): { found: Environment; unreadable: string[] } {
  const found: Environment = {}
  const unreadable: string[] = []
  for (const name of secrets) {
    const path = given[`${name}_FILE`]
    if (path === undefined) continue
    const text = textIn(path)
    if (given[name] !== undefined) unreadable.push(`${name} and ${name}_FILE should not both be set`)
    else if (!text) unreadable.push(`${name}_FILE should be the path of a file that can be read and is not empty`)
    else found[name] = text
  }
  return { found, unreadable }
}

/** Without the line break at the end, which editors add. `undefined`: the file cannot be read. */
function textIn(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch {
    return undefined
  }
}

/** The bucket and the prefix in `s3://bucket/prefix`, without slashes at the ends; `undefined` for anything else. */
export function bucketNamed(downloads_dir: string): { bucket: string; prefix: string } | undefined {
  const [, bucket, prefix = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/((?:[\w-][\w.-]*(?:\/|$))*))?$/.exec(downloads_dir) ?? []
  return bucket === undefined ? undefined : { bucket, prefix: prefix.replace(/\/$/, '') }
}

const conflictsOfProxies = ({ AUTH_HEADER, TRUSTED_PROXIES }: Config): string[] =>
  AUTH_HEADER !== undefined && TRUSTED_PROXIES.length === 0
    ? ['TRUSTED_PROXIES should name the proxy that sends AUTH_HEADER, because it is believed from nowhere else']
    : []

/** What is wrong with variables that are right alone. */
function conflictsIn(config: Config): string[] {
  return [
    ...conflictsOfProxies(config),
    ...conflictsOfProvider(config),
    ...conflictsOfBucket(config),
    ...(config.SMTP_URL && !config.MAIL_FROM ? ['MAIL_FROM should be set, because SMTP_URL is'] : []),
  ]
}

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
    return STREAM_OFFLOAD === 'signed-url'
      ? ['STREAM_OFFLOAD should be off or x-accel unless DOWNLOADS_DIR is a bucket']
      : []
  const needed = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const
  const endpoint = config.AWS_ENDPOINT_URL_S3 ?? config.AWS_ENDPOINT_URL
  return [
    ...needed.filter(name => !config[name]).map(name => `${name} should be set, because DOWNLOADS_DIR is a bucket`),
    ...(config.AWS_REGION || endpoint ? [] : ['AWS_REGION should be set to the region of the bucket']),
    ...(STREAM_OFFLOAD === 'x-accel'
      ? ['STREAM_OFFLOAD should be off or signed-url, because DOWNLOADS_DIR is a bucket']
      : []),
    ...(MEDIA_DIR
      ? ['MEDIA_DIR should not be set, because it links to files in a folder and DOWNLOADS_DIR is a bucket']
      : []),
  ]
}

/** Whether a file that one person has is given to others who request the same video. */
export const isSharing = ({ SHARE_FILES }: Partial<Pick<Config, 'SHARE_FILES'>>): boolean => SHARE_FILES !== 'off'
