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
    const tools = await unless(request.signal, findTools())
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
