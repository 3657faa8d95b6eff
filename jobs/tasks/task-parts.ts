/** What the tasks work with. `jobs/worker/parts.ts` makes it from the configuration. */
import type { Task } from 'graphile-worker'
import type { ZodType } from 'zod'
import type { HostLimits } from '../../src/db/downloads/everyone/hosts.ts'
import type { Everyone } from '../../src/db/everyone.ts'
import type { FeedFinder } from '../../src/domain/channels/discovery.ts'
import type { RoomLimits } from '../../src/domain/downloads/room.ts'
import type { Listings } from '../../src/domain/listings/listings.ts'
import type { ToolReport } from '../../src/domain/service/tool-report.ts'
import type { HostChecker } from '../../src/feed/fetch/fetch.ts'
import type { ChangeFetcher } from '../../src/feed/fetch/fetch-feed.ts'
import type { PictureFetcher } from '../../src/feed/fetch/fetch-picture.ts'
import type { Log } from '../../src/runtime/log.ts'
import type { BinLimits } from '../../src/schema/bin/bin.ts'
import type { SendMessage } from '../../src/schema/notifications/message.ts'
import type { Post } from '../../src/senders/post.ts'
import type { ServerOpener } from '../../src/servers/kinds.ts'
import type { Files } from '../../src/store/files.ts'
import type { PictureConverter } from '../../src/ytdlp/convert/convert-picture.ts'
import type { Downloader } from '../../src/ytdlp/fetch/download.ts'
import type { ToolFinder } from '../../src/ytdlp/process/programs.ts'

/** A task for jobs of this form. `signal`: aborted when the worker stops. */
export const taskOf =
  <Job>(form: ZodType<Job>, work: (job: Job, signal: AbortSignal) => unknown): Task =>
  async (payload, { abortSignal = new AbortController().signal }) =>
    void (await work(form.parse(payload), abortSignal))

export type TaskParts = {
  /** The connection to the database, with which a task may ask across people. */
  sql: Everyone
  files: Files
  findFeed: FeedFinder
  fetchChanges: ChangeFetcher
  /** Requests the root of a host, to see whether the host refuses us. */
  checkHost: HostChecker
  sendToHub: Post
  /** The address at which the hub calls, without the id of a subscription; `undefined`: push is off. */
  callbacks?: string | undefined
  /** Sends messages to the targets of people; `undefined`: messages wait. */
  sendMessage?: SendMessage | undefined
  /** PUBLIC_URL: the addresses in messages begin with it. */
  public_url?: string | undefined
  downloadVideo: Downloader
  listings: Listings
  /** The folder for media servers; `undefined`: none. `toJpeg`: `undefined` for bytes that are no picture. */
  media?: { dir: string; toJpeg(picture: Uint8Array): Promise<Uint8Array | undefined> } | undefined
  /** Opens the media servers of people. */
  openServer: ServerOpener
  fetchPicture: PictureFetcher
  convertPicture: PictureConverter
  findTools: ToolFinder
  toolReport(): ToolReport
  host_limits: HostLimits
  /** When the hours of downloads begin; `undefined`: downloads run now. */
  hoursBeginAt(): Date | undefined
  /** Whether the clock may be wrong, so that nothing is deleted because of its age. Absent: it is not. */
  isTimeDoubtful?(): boolean
  /** Bytes per second that DOWNLOAD_RATE leaves to each download now; `undefined`: no limit. */
  shareNow(): number | undefined
  room: RoomLimits
  /** A file that one person has is given to others who request the same video. */
  is_sharing: boolean
  /** SECRET_KEY: opens the cookies and the keys of media servers that people store; `undefined`: none are used. */
  secret_key?: string | undefined
  bin: BinLimits
  /** Whether the bin is on the disk of this machine, so that emptying it makes room for downloads. */
  bin_is_here: boolean
  /** Calls `onDoubt` when a claim may be lost. Returns a function that stops watching. */
  watchClaim(claim: string, onDoubt: () => void): () => void
  log: Log
  /** 0: no feed is refreshed by the clock. */
  refresh_interval_minutes: number
}
