/** Every variable of the environment, with unit and default; read here and nowhere else. */
import { z } from 'zod'

const port = z.coerce.number('a port number').int().min(0).max(65535)
const whole = (least: number) =>
  z.coerce.number('a whole number').int('a whole number').min(least, `a whole number from ${least} up`)
const address = z.url({ protocol: /^https?$/, error: 'an address that starts with http:// or https://' })
/** As `umask` takes it. The service itself must be able to read what it writes, so it starts with a 0. */
const umask = z
  .string()
  .regex(/^0?0[0-7]{2}$/, 'three octal digits of which the first is 0, like 077 or 027')
  .transform(digits => Number.parseInt(digits, 8))
const list = z.string().transform(text =>
  text
    .split(',')
    .map(item => item.trim())
    .filter(item => item !== ''),
)

const Variables = z.object({
  PORT: port.default(8000),
  HOST: z.string().default('127.0.0.1'),
  /** Not set: the embedded Postgres in `DATA_DIR`. */
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'an address that starts with postgres://' }).optional(),
  DATA_DIR: z.string().default('.data'),
  DOWNLOADS_DIR: z.string().default('downloads'),
  /** Not set: taken from each request. */
  PUBLIC_URL: address.optional(),
  /** Addresses or CIDRs of the proxies whose X-Forwarded headers are believed; `loopback` is this machine. */
  TRUSTED_PROXIES: list.default([]),
  /** Channels that one person may follow; 0: as many as they like. */
  USER_CHANNELS: whole(0).default(5000),
  /** Videos that are kept of all the channels of one person; 0: any number. */
  USER_VIDEOS: whole(0).default(1_000_000),
  /** Downloads at once in this process. */
  WORKER_CONCURRENCY: whole(1).default(2),
  /** Downloads of one host at once, over all workers. */
  HOST_CONCURRENCY: whole(1).default(2),
  /** Seconds between one download of a host and the next; 0: none. Hosts in ALLOWED_ADDRESSES are not waited for. */
  HOST_PAUSE_SECONDS: whole(0).default(5),
  /** Megabytes that downloads leave free on their disk; 0: they may fill it. */
  MIN_FREE_MB: whole(0).default(256),
  /** Gigabytes that one person may keep; 0: as many as fit. */
  USER_QUOTA_GB: z.coerce.number('a number').min(0, 'a number from 0 up').default(0),
  /** Seconds without a word from yt-dlp after which a download is stopped. */
  DOWNLOAD_SILENCE_SECONDS: whole(1).default(120),
  /** Minutes; 0: no scheduled refreshes. */
  REFRESH_INTERVAL_MINUTES: whole(0).default(30),
  /** Private hosts, `host:port`s or CIDRs that feeds and videos may come from all the same. */
  ALLOWED_ADDRESSES: list.default([]),
  /** Not set: found, or fetched. */
  YTDLP_PATH: z.string().optional(),
  FFMPEG_PATH: z.string().optional(),
  /** Which releases of yt-dlp are fetched. */
  YTDLP_CHANNEL: z.enum(['stable', 'nightly'], 'stable or nightly').default('stable'),
  /** `off`: no tool is fetched; what is missing is said with the command that fetches it. */
  INSTALL_TOOLS: z.enum(['on', 'off'], 'on or off').default('on'),
  REGISTRATION: z.enum(['open', 'closed'], 'open or closed').default('open'),
  /** Permissions that are taken from every file and folder the service makes. */
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

/** Throws one sentence that names every wrong variable at once. An empty variable counts as not set. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const read = Variables.safeParse(given)
  if (read.success) return read.data
  const faults = read.error.issues.map(({ path, message }) => `${String(path[0])} should be ${message}`)
  throw new Error(`Wrong configuration: ${faults.join('; ')}.`)
}
