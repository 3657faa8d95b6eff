/** What the tasks work with, made from the configuration; and the list of the tasks. */
import type { TaskList } from 'graphile-worker'
import type { Config } from '../src/config.ts'
import type { Sql } from '../src/db/client.ts'
import { type Files, filesIn } from '../src/domain/files.ts'
import { createFeedChecker, type FeedChecker } from '../src/feed/check.ts'
import type { FeedReader } from '../src/feed/read.ts'
import { createFeedReader } from '../src/feed/read.ts'
import type { Log } from '../src/log.ts'
import { addressPolicy } from '../src/net/addresses.ts'
import type { Downloader } from '../src/ytdlp/download.ts'
import { download } from './download.ts'
import { lazyDownloader } from './downloader.ts'
import { housekeeping } from './housekeeping.ts'
import { importChannels } from './import-channels.ts'
import { refreshFeedTask } from './refresh-feed.ts'

export type Parts = {
  sql: Sql
  files: Files
  readFeed: FeedReader
  checkFeed: FeedChecker
  download: Downloader
  log: Log
  /** 0: none are scheduled. */
  refresh_interval_minutes: number
}

export function partsOf(config: Config, sql: Sql, log: Log): Parts {
  const policy = addressPolicy(config.ALLOWED_ADDRESSES)
  return {
    sql,
    files: filesIn(config.DOWNLOADS_DIR),
    readFeed: createFeedReader({ policy }),
    checkFeed: createFeedChecker({ policy }),
    download: lazyDownloader(config, policy, log),
    log,
    refresh_interval_minutes: config.REFRESH_INTERVAL_MINUTES,
  }
}

/** `download` has a pool of its own, so that long downloads never hold up the rest. */
export const taskLists = (parts: Parts): { downloads: TaskList; rest: TaskList } => ({
  downloads: { download: download(parts) },
  rest: {
    'refresh-feed': refreshFeedTask(parts),
    'import-channels': importChannels(parts),
    housekeeping: housekeeping(parts),
  },
})
