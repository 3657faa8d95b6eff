/** Every variable, with its unit and default. */
import { z } from 'zod'
import {
  bucketNamed,
  database,
  endpoint,
  header,
  hours,
  list,
  port,
  proxy,
  rates,
  site,
  umask,
  wholeNumber,
} from './variable-types.ts'

export const Variables = z.object({
  PORT: port.default(8000),
  HOST: z.string().default('127.0.0.1'),
  /** The embedded Postgres in `DATA_DIR` unless set. */
  DATABASE_URL: database.optional(),
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
  /** Taken from each request unless set. Only if it is set, YouTube's hub can announce new videos: the hub calls it. */
  PUBLIC_URL: site.optional(),
  /** Addresses or CIDRs of proxies whose X-Forwarded headers are trusted; `loopback` is this machine. */
  TRUSTED_PROXIES: list.default([]),
  /** A header with the name of the person who sends a request. Only trusted proxies may send it. */
  AUTH_HEADER: header.optional(),
  /** Downloads at once in this process. */
  WORKER_CONCURRENCY: wholeNumber(1).default(2),
  /** Downloads of one host at once, over all workers. */
  HOST_CONCURRENCY: wholeNumber(1).default(2),
  /** Megabytes that stay free on the disk of the downloads; 0: downloads may fill it. */
  MIN_FREE_MB: wholeNumber(0).default(256),
  /** Gigabytes that one person may keep; 0: no limit. */
  USER_QUOTA_GB: z.coerce.number('a number').min(0, 'a number, 0 or more').default(0),
  /** In which downloads run, by the clock of `TZ`. None: they run at any time. */
  DOWNLOAD_HOURS: hours.default([]),
  /** Bytes per second for all downloads of this process together, also by hours; 0: no limit. */
  DOWNLOAD_RATE: rates.default([]),
  /** The time zone of hours. The zone of the system unless set. */
  TZ: z.string().optional(),
  /** Minutes between two refreshes of a feed; 0: feeds are refreshed only by hand. */
  REFRESH_INTERVAL_MINUTES: wholeNumber(0).default(30),
  /** Private hosts, `host:port`s or CIDRs from which feeds and videos may come although they are not public. */
  ALLOWED_ADDRESSES: list.default([]),
  /** What yt-dlp fetches leaves through this proxy, except from ALLOWED_ADDRESSES. */
  DOWNLOAD_PROXY: proxy.optional(),
  /** `on`: what the service itself fetches from sites leaves through DOWNLOAD_PROXY, too. */
  FEED_PROXY: z.enum(['on', 'off'], 'on or off').default('off'),
  /** The service that names the parts of a video to skip. Empty: none is asked. */
  SPONSORBLOCK_URL: z.union([z.literal(''), endpoint]).default('https://sponsor.ajay.app'),
  /** Found on this machine, or fetched, unless set. */
  YTDLP_PATH: z.string().optional(),
  FFMPEG_PATH: z.string().optional(),
  /** Which releases of yt-dlp are fetched. */
  YTDLP_CHANNEL: z.enum(['stable', 'nightly'], 'stable or nightly').default('stable'),
  /** The path of a configuration of yt-dlp, whose options are added to ours. */
  YTDLP_CONFIG: z.string().optional(),
  /** A folder of plugins for yt-dlp. */
  YTDLP_PLUGINS: z.string().optional(),
  /** `off`: no tool is fetched. The message about a missing tool names the command that fetches it. */
  INSTALL_TOOLS: z.enum(['on', 'off'], 'on or off').default('on'),
  /** `signed-url`: browsers fetch files from the bucket. `x-accel` of older versions is read as `off`, so that an update starts. */
  STREAM_OFFLOAD: z.preprocess(
    value => (value === 'x-accel' ? 'off' : value),
    z.enum(['off', 'signed-url'], 'off or signed-url').default('off'),
  ),
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
  /** Encrypts the cookies for sites and the keys of media servers that people store. Unless it is set, none are stored. */
  SECRET_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{32,200}$/, '32 to 200 characters without spaces, such as openssl rand -hex 32 prints')
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
