/** The downloader of this process. yt-dlp and ffmpeg are found, or fetched, in the background; downloads wait for them. */
import type { Config } from '../src/config.ts'
import type { Log } from '../src/log.ts'
import type { AddressPolicy } from '../src/net/addresses.ts'
import { createDownloader, type Downloader } from '../src/ytdlp/download.ts'
import { lazyTools } from '../src/ytdlp/lazy-tools.ts'

export function lazyDownloader(config: Config, policy: AddressPolicy, log: Log): Downloader {
  const findTools = lazyTools(config, { log })
  // At once, so that they are there when the first download wants them.
  void findTools()
  return async request => {
    const tools = await findTools()
    if ('missing' in tools) {
      return { failure: { kind: 'operator', sentence: tools.missing, detail: 'yt-dlp or ffmpeg is missing' } }
    }
    request.signal.throwIfAborted()
    return createDownloader({ tools, policy })(request)
  }
}
