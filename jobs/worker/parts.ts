/** Makes from the configuration what the tasks work with, and lists the tasks. */
import type { TaskList } from 'graphile-worker'
import { type Config, isSharing } from '../../src/config.ts'
import { everyoneIn } from '../../src/db/everyone.ts'
import type { Sql } from '../../src/db/postgres/client.ts'
import { serviceIn } from '../../src/db/service/service.ts'
import { bestOf, createDiscover, import_budget } from '../../src/domain/channels/discovery.ts'
import { webSources } from '../../src/domain/channels/sources.ts'
import { webListings } from '../../src/domain/listings/listings.ts'
import { pushSettings } from '../../src/domain/push/hubs.ts'
import { type AddressPolicy, addressPolicy, listedIn } from '../../src/net/addresses.ts'
import { lazily } from '../../src/runtime/lazily.ts'
import type { Log } from '../../src/runtime/log.ts'
import { openStorage } from '../../src/store/storage.ts'
import { jpegConverter } from '../../src/ytdlp/run/convert-picture.ts'
import { downloadTask, watchNowTask } from '../tasks/download.ts'
import { captionsTask } from '../tasks/fetch-captions.ts'
import { picturesTask } from '../tasks/fetch-pictures.ts'
import { housekeepingTask } from '../tasks/housekeeping.ts'
import { importTask } from '../tasks/import-channels.ts'
import { loadOlderTask } from '../tasks/load-older.ts'
import { hostTask } from '../tasks/look-at-host.ts'
import { lookTask } from '../tasks/look-at-videos.ts'
import { fileTask } from '../tasks/read-file.ts'
import { transcriptTask } from '../tasks/read-transcript.ts'
import { refreshFeedTask } from '../tasks/refresh-feed.ts'
import { shareEndedTask } from '../tasks/share-ended.ts'
import { shareRequestedTask } from '../tasks/share-requested.ts'
import { subscribeTask } from '../tasks/subscribe-feed.ts'
import type { TaskParts } from '../tasks/task.ts'
import { mediaTask, removeTreesTask } from '../tasks/update-media.ts'
import { lazyDownloader } from './downloader.ts'
import { startToolCare } from './tool-care.ts'

export type WorkerParts = TaskParts & {
  /** Tells the run with this claim that it may be lost. */
  tellClaim(claim: string): void
  /** Keeps the tools up to date while the worker runs. */
  careForTools(): { stop(): void }
}

type Outside = { policy?: AddressPolicy; listing_pause_s?: number }

export function workerParts(config: Config, sql: Sql, log: Log, outside: Outside = {}): WorkerParts {
  const { policy = addressPolicy(config.ALLOWED_ADDRESSES), listing_pause_s: pause_s } = outside
  const fetchPicture = lazily(async () =>
    (await import('../../src/feed/fetch/fetch-picture.ts')).createPictureFetcher({ policy }),
  )
  const { download, findTools, report, refresh } = lazyDownloader(config, policy, fetchPicture, log)
  const claims = claimWatchers()
  const everyone = everyoneIn(sql)
  return {
    sql: everyone,
    files: openStorage(config, serviceIn(sql).someFiles),
    findFeed: bestOf(createDiscover(webSources(policy), import_budget)),
    fetchChanges: lazily(async () =>
      (await import('../../src/feed/fetch/fetch-feed.ts')).createChangeFetcher({ policy }),
    ),
    checkHost: lazily(async () => (await import('../../src/feed/fetch/check-host.ts')).createHostChecker({ policy })),
    sendToHub: lazily(async () => (await import('../../src/feed/fetch/send-to-hub.ts')).createHubSender({ policy })),
    fetchPicture,
    convertPicture: lazily(async () => (await import('../../src/ytdlp/run/convert-picture.ts')).convertPicture),
    push: pushSettings(config),
    downloadVideo: download,
    findTools,
    listings: webListings({ policy, findTools, ...(pause_s !== undefined && { pause_s }) }),
    media: config.MEDIA_DIR === undefined ? undefined : { dir: config.MEDIA_DIR, toJpeg: jpegConverter(findTools) },
    toolReport: report,
    careForTools: () => startToolCare({ config, sql: everyone, log, onCheck: refresh }),
    host_limits: {
      host_concurrency: config.HOST_CONCURRENCY,
      host_pause_seconds: config.HOST_PAUSE_SECONDS,
      isOurs: listedIn(config.ALLOWED_ADDRESSES),
    },
    room: { min_free_bytes: config.MIN_FREE_MB * 1e6, quota_bytes: config.USER_QUOTA_GB * 1e9 },
    is_sharing: isSharing(config),
    bin: { hours: config.BIN_HOURS, quota_bytes: config.USER_QUOTA_GB * 1e9 },
    bin_is_here: !config.DOWNLOADS_DIR.startsWith('s3://'),
    max_channels: config.USER_CHANNELS,
    max_videos: config.USER_VIDEOS,
    watchClaim: claims.watch,
    tellClaim: claims.tell,
    log,
    refresh_interval_minutes: config.REFRESH_INTERVAL_MINUTES,
  }
}

/** Each list has a pool of its own, so that long downloads and slow feeds delay nothing else, and housekeeping never waits. */
export const taskLists = (
  parts: TaskParts,
): Record<
  'downloads' | 'watched' | 'shares' | 'feeds' | 'imports' | 'listings' | 'looks' | 'media' | 'pictures' | 'care',
  TaskList
> => ({
  downloads: { download: downloadTask(parts) },
  watched: { 'watch-now': watchNowTask(parts) },
  shares: {
    'share-requested': shareRequestedTask(parts),
    'share-ended': shareEndedTask(parts),
    'read-transcript': transcriptTask(parts),
    'read-file': fileTask(parts),
  },
  feeds: { 'refresh-feed': refreshFeedTask(parts), 'subscribe-feed': subscribeTask(parts) },
  imports: { 'import-channels': importTask(parts) },
  listings: { 'load-older': loadOlderTask(parts) },
  looks: { 'look-at-videos': lookTask(parts), 'fetch-captions': captionsTask(parts) },
  // Without MEDIA_DIR, these jobs are left to a worker that has it.
  media: parts.media ? mediaTasks({ ...parts, media: parts.media }) : {},
  pictures: { 'fetch-pictures': picturesTask(parts) },
  care: { housekeeping: housekeepingTask(parts), 'look-at-host': hostTask(parts) },
})

const mediaTasks = (parts: TaskParts & { media: NonNullable<TaskParts['media']> }): TaskList => ({
  'update-media': mediaTask(parts),
  'remove-media-trees': removeTreesTask(parts),
})

// Tells the runs of this process when their claim may be lost. Without it, the next heartbeat would notice a second later.

export type ClaimWatchers = {
  /** Calls `onDoubt` when that claim may be lost. Returns a function that stops watching. */
  watch(claim: string, onDoubt: () => void): () => void
  tell(claim: string): void
}

export function claimWatchers(): ClaimWatchers {
  const watchers = new Map<string, () => void>()
  return {
    watch(claim, onDoubt) {
      watchers.set(claim, onDoubt)
      return () => void watchers.delete(claim)
    },
    tell: claim => watchers.get(claim)?.(),
  }
}
