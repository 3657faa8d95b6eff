/** The downloader of this process. yt-dlp and ffmpeg are found, or fetched, in the background; downloads wait for them. */
import type { Config } from '../src/config.ts'
import type { Log } from '../src/log.ts'
import type { AddressPolicy } from '../src/net/addresses.ts'
import { createDownloader, type Downloader } from '../src/ytdlp/download.ts'
import { findTools } from '../src/ytdlp/tools.ts'

/** How soon to look again: for what is missing, and for a newer yt-dlp, which has to keep up with the sites. */
const look_again_ms = { missing: 60_000, found: 24 * 3_600_000 }

export function lazyDownloader(config: Config, policy: AddressPolicy, log: Log): Downloader {
  const look = async () => {
    const found = await findTools({
      ytdlp_path: config.YTDLP_PATH,
      ffmpeg_path: config.FFMPEG_PATH,
      path: config.PATH,
      data_dir: config.DATA_DIR,
      log,
    })
    if ('missing' in found) log.warn(found.missing)
    else log.info(`Downloads are made with yt-dlp ${found.ytdlp.version}.`)
    return { found, at: Date.now() }
  }

  let looking = look()
  return async request => {
    const latest = looking
    const { found, at } = await unless(request.signal, latest)
    if (looking === latest && Date.now() - at > look_again_ms['missing' in found ? 'missing' : 'found'])
      looking = look()
    const { found: tools } = await unless(request.signal, looking)
    if ('missing' in tools) {
      return { failure: { kind: 'operator', sentence: tools.missing, detail: 'yt-dlp or ffmpeg is missing' } }
    }
    return createDownloader({ tools, policy })(request)
  }
}

/** What is awaited, or the signal's reason as soon as it is aborted. */
function unless<T>(signal: AbortSignal, awaited: Promise<T>): Promise<T> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    awaited.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
