/** What the tasks work with, made from the configuration; and the list of the tasks. */
import type { TaskList } from 'graphile-worker'
import type { Config } from '../../src/config.ts'
import type { HostLimits } from '../../src/db/across/hosts.ts'
import type { Sql } from '../../src/db/postgres/client.ts'
import { type Files, filesIn } from '../../src/domain/downloads/files.ts'
import type { RoomLimits } from '../../src/domain/downloads/room.ts'
import { type ChangeFetcher, createChangeFetcher } from '../../src/feed/fetch/changes.ts'
import { createHostChecker, type HostChecker } from '../../src/feed/fetch/check-host.ts'
import type { FeedReader } from '../../src/feed/fetch/read.ts'
import { createFeedFinder } from '../../src/feed/fetch/read.ts'
import { addressPolicy, listedIn } from '../../src/net/addresses.ts'
import type { Log } from '../../src/runtime/log.ts'
import type { Downloader } from '../../src/ytdlp/run/download.ts'
import { download } from '../tasks/download.ts'
import { housekeeping } from '../tasks/housekeeping.ts'
import { importChannels } from '../tasks/import-channels.ts'
import { lookAtHost } from '../tasks/look-at-host.ts'
import { refreshFeedTask } from '../tasks/refresh-feed.ts'
import { type Claims, claimsOfThisProcess } from './claims.ts'
import { lazyDownloader, type ToolsReport } from './downloader.ts'
import { startToolCare } from './tool-care.ts'

export type Parts = {
  sql: Sql
  files: Files
  /** Finds as well: a list may give pages. */
  readFeed: FeedReader
  fetchChanges: ChangeFetcher
  /** Asks a host itself whether it refuses us. */
  look: HostChecker
  download: Downloader
  /** What is known of the tools that `download` works with. */
  tools(): ToolsReport
  /** Keeps these tools up to date while the worker runs. */
  careForTools(): { stop(): void }
  host_limits: HostLimits
  room: RoomLimits
  /** So many may one person follow; 0: any number. */
  most_channels: number
  /** So many videos are kept for one person; 0: any number. */
  most_videos: number
  claims: Claims
  log: Log
  /** 0: none are scheduled. */
  refresh_interval_minutes: number
}

export function partsOf(config: Config, sql: Sql, log: Log): Parts {
  const policy = addressPolicy(config.ALLOWED_ADDRESSES)
  const { download, report, refresh } = lazyDownloader(config, policy, log)
  return {
    sql,
    files: filesIn(config.DOWNLOADS_DIR),
    readFeed: createFeedFinder({ policy }),
    fetchChanges: createChangeFetcher({ policy }),
    look: createHostChecker({ policy }),
    download,
    tools: report,
    careForTools: () => startToolCare({ config, sql, log, onLook: refresh }),
    host_limits: {
      host_concurrency: config.HOST_CONCURRENCY,
      host_pause_seconds: config.HOST_PAUSE_SECONDS,
      isOurs: listedIn(config.ALLOWED_ADDRESSES),
    },
    room: { min_free_bytes: config.MIN_FREE_MB * 1e6, quota_bytes: config.USER_QUOTA_GB * 1e9 },
    most_channels: config.USER_CHANNELS,
    most_videos: config.USER_VIDEOS,
    claims: claimsOfThisProcess(),
    log,
    refresh_interval_minutes: config.REFRESH_INTERVAL_MINUTES,
  }
}

/** Each has a pool of its own, so that long downloads and feeds that hang hold up nothing else, and housekeeping never waits. */
export const taskLists = (parts: Parts): Record<'downloads' | 'feeds' | 'imports' | 'care', TaskList> => ({
  downloads: { download: download(parts) },
  feeds: { 'refresh-feed': refreshFeedTask(parts) },
  imports: { 'import-channels': importChannels(parts) },
  care: { housekeeping: housekeeping(parts), 'look-at-host': lookAtHost(parts) },
})
