/** Makes what the tasks work with from the configuration. */
import { type Config, isSharing } from '../../src/config/config.ts'
import { type HostLimits, usual_pause_seconds } from '../../src/db/downloads/everyone/hosts.ts'
import { everyoneIn } from '../../src/db/everyone.ts'
import type { Sql } from '../../src/db/postgres/client.ts'
import { serviceIn } from '../../src/db/service/service.ts'
import { bestOf, createDiscover, import_budget } from '../../src/domain/channels/discovery.ts'
import { webSources } from '../../src/domain/channels/feed-search.ts'
import { webListings } from '../../src/domain/listings/listings.ts'
import { lazySender } from '../../src/domain/notifications/sender.ts'
import { callbacksOf } from '../../src/domain/push/subscriptions.ts'
import { proxyReporter } from '../../src/domain/service/proxy-report.ts'
import { type RunningToolCare, startToolCare } from '../../src/domain/service/tool-care.ts'
import { type AddressPolicy, addressPolicy, listedIn } from '../../src/net/addresses.ts'
import { operatorProxyOf, throughProxy } from '../../src/net/operator-proxy.ts'
import { lazily } from '../../src/runtime/cache.ts'
import { currentTime } from '../../src/runtime/clock.ts'
import { rateIn, timesIn } from '../../src/runtime/download-times.ts'
import type { Log } from '../../src/runtime/log.ts'
import { openingsOf } from '../../src/schema/downloads/hours.ts'
import { serverOpener } from '../../src/servers/kinds.ts'
import { openStorage } from '../../src/store/storage.ts'
import type { TaskParts } from '../tasks/task-parts.ts'
import { openToolbox } from './downloader.ts'

export type WorkerParts = TaskParts & {
  /** Tells the run with this claim that it may be lost. */
  tellClaim(claim: string): void
  /** Keeps the tools up to date while the worker runs. */
  careForTools(): RunningToolCare
  /** Gets yt-dlp ready, because a video may be watched next. */
  expectWatch(): void
}

/**
 * What a test replaces: the addresses that may be fetched from, and the pauses between two requests of a listing and two downloads.
 * `signal`: ends the fetch of tools when the process stops.
 */
type Outside = { policy?: AddressPolicy; listing_pause_s?: number; signal?: AbortSignal } & Partial<
  Pick<HostLimits, 'host_pause_seconds'>
>

export function workerParts(config: Config, sql: Sql, log: Log, outside: Outside = {}): WorkerParts {
  const { policy: direct = addressPolicy(config.ALLOWED_ADDRESSES), listing_pause_s: pause_s } = outside
  const { host_pause_seconds = usual_pause_seconds, signal } = outside
  const proxy = operatorProxyOf(config)
  const policy = throughProxy(direct, config, proxy)
  const proxyReport = proxy && proxyReporter(proxy)
  const fetchPicture = lazily(async () =>
    (await import('../../src/feed/fetch/fetch-picture.ts')).createPictureFetcher({ policy }),
  )
  const { download, expectWatch, findTools, report } = openToolbox(config, policy, fetchPicture, log, signal)
  const toJpeg = lazily(async () =>
    (await import('../../src/ytdlp/convert/convert-picture.ts')).jpegConverter(findTools),
  )
  const claims = claimWatchers()
  const everyone = everyoneIn(sql)
  return {
    sql: everyone,
    files: openStorage(config, serviceIn(sql).someFiles),
    findFeed: bestOf(createDiscover(webSources(policy), import_budget)),
    fetchChanges: lazily(async () =>
      (await import('../../src/feed/fetch/fetch-feed.ts')).createChangeFetcher({ policy }),
    ),
    checkHost: lazily(async () => (await import('../../src/feed/fetch/fetch.ts')).createHostChecker({ policy })),
    sendToHub: lazily(async () => (await import('../../src/senders/post.ts')).createPost({ policy: direct })),
    fetchPicture,
    convertPicture: lazily(async () => (await import('../../src/ytdlp/convert/convert-picture.ts')).convertPicture),
    public_url: config.PUBLIC_URL,
    sendMessage: lazySender(sql, direct, config).sendMessage,
    callbacks: callbacksOf(config),
    downloadVideo: download,
    expectWatch,
    findTools,
    listings: webListings({ policy, findTools, ...(pause_s !== undefined && { pause_s }) }),
    media: config.MEDIA_DIR === undefined ? undefined : { dir: config.MEDIA_DIR, toJpeg },
    openServer: serverOpener({ policy: direct }),
    toolReport: () => ({ ...report(), proxy: proxyReport?.() ?? null }),
    careForTools: () => startToolCare({ config, sql: everyone, log, onCheck: findTools, more: { signal } }),
    host_limits: {
      host_concurrency: config.HOST_CONCURRENCY,
      host_pause_seconds,
      isOurs: listedIn(config.ALLOWED_ADDRESSES),
    },
    ...timesOf(config),
    room: { min_free_bytes: config.MIN_FREE_MB * 1e6, quota_bytes: config.USER_QUOTA_GB * 1e9 },
    is_sharing: isSharing(config),
    secret_key: config.SECRET_KEY,
    bin: { hours: config.BIN_HOURS, quota_bytes: config.USER_QUOTA_GB * 1e9 },
    bin_is_here: !config.DOWNLOADS_DIR.startsWith('s3://'),
    watchClaim: claims.watch,
    tellClaim: claims.tell,
    log,
    refresh_interval_minutes: config.REFRESH_INTERVAL_MINUTES,
  }
}

function timesOf(config: Config): Pick<TaskParts, 'hoursBeginAt' | 'shareNow'> {
  const times = timesIn(config)
  const [opensAt, rateNow] = [openingsOf(times), rateIn(times)]
  const shareNow = () => {
    const rate = rateNow()
    return rate === undefined ? undefined : rate / config.WORKER_CONCURRENCY
  }
  return { hoursBeginAt: () => opensAt(currentTime()), shareNow }
}

/** Tells the runs of this process that their claim may be lost. Without it, the next heartbeat of the run would notice within a second. */
export function claimWatchers() {
  const watchers = new Map<string, () => void>()
  return {
    /** Calls `onDoubt` when that claim may be lost. Returns a function that stops watching. */
    watch(claim: string, onDoubt: () => void) {
      watchers.set(claim, onDoubt)
      return () => void watchers.delete(claim)
    },
    tell: (claim: string) => watchers.get(claim)?.(),
  }
}
