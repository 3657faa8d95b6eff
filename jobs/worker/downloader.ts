/** Finds or fetches yt-dlp and ffmpeg in the background. A download waits for them; if one is missing, it fails and names it. */
import { resolve } from 'node:path'
import type { Config } from '../../src/config/config.ts'
import { toolWarnings } from '../../src/domain/service/health.ts'
import {
  endedWith,
  nothing_ended,
  reportOf,
  unknown_tools,
  withAdvice,
  withEnded,
} from '../../src/domain/service/tool-report.ts'
import type { AddressPolicy } from '../../src/net/addresses.ts'
import { currentTime } from '../../src/runtime/clock.ts'
import { rateIn, timesIn } from '../../src/runtime/download-times.ts'
import type { Log } from '../../src/runtime/log.ts'
import { unlessAborted } from '../../src/runtime/turns.ts'
import { withoutTools } from '../../src/ytdlp/failures/failure.ts'
import type { Downloader } from '../../src/ytdlp/fetch/download.ts'
import type { CoverFetcher } from '../../src/ytdlp/process/download-context.ts'
import { sharedRate } from '../../src/ytdlp/process/shared-rate.ts'
import { lazyTools } from '../../src/ytdlp/tools/lazy-tools.ts'

/** Begins to look for the tools. What needs the tools waits for them. `signal`: ends a search. */
export function openToolbox(
  config: Config,
  policy: AddressPolicy,
  fetchPicture: CoverFetcher,
  log: Log,
  signal?: AbortSignal,
) {
  let report = unknown_tools
  let ended = nothing_ended
  let logged_version: string | undefined
  const is_ours = config.YTDLP_PATH === undefined && config.INSTALL_TOOLS === 'on'
  const renewing = is_ours ? resolve(config.DATA_DIR, 'tools') : undefined
  const search_log = withoutRepeats(log)
  const findTools = lazyTools(config, { log: search_log, signal }, async found => {
    report = await reportOf(found, renewing)
    if (!('missing' in found)) search_log.forget()
    // The log may show paths; pages may not.
    for (const warning of toolWarnings({ ...report, ...found }, new Date())) search_log.warn(warning)
    const version = 'missing' in found ? undefined : found.ytdlp.version
    if (version && version !== logged_version) log.info(`Downloads use yt-dlp ${version}.`)
    logged_version = version
  })
  // Starts now, so that the tools are ready for the first download.
  findTools().catch((fault: unknown) => log.warn({ err: fault }, 'could not look for yt-dlp and ffmpeg'))

  const times = timesIn(config)
  const rate = times.rates.length > 0 ? { rate: sharedRate(rateIn(times)) } : {}
  const download: Downloader = async request => {
    request.signal.throwIfAborted()
    const tools = await unlessAborted(findTools(), request.signal)
    if ('missing' in tools) return { failure: withoutTools(tools.missing) }
    // Loaded with the first download.
    const { createDownloader } = await import('../../src/ytdlp/fetch/download.ts')
    const result = await createDownloader({ tools, policy, fetchPicture, ...rate })(request)
    // What an account of a person meets says nothing about the configuration.
    if (request.cookies === undefined)
      ended = endedWith(ended, 'failure' in result ? result.failure : undefined, currentTime())
    const found_now = { missing: null, ytdlp_version: tools.ytdlp.version }
    return 'failure' in result ? { failure: withAdvice(result.failure, found_now, new Date()) } : result
  }
  const prepare = async () => {
    const [tools, { prepareYtdlp }] = await Promise.all([findTools(), import('../../src/ytdlp/process/warm.ts')])
    if (!('missing' in tools)) await prepareYtdlp(tools)
  }
  return {
    download,
    /** Gets yt-dlp ready in the background. A run that finds yt-dlp not ready says why. */
    expectWatch: () => void prepare().catch(() => {}),
    /** Looks again where yt-dlp may have been renewed or rolled back. */
    findTools,
    /** What is known of the tools so far; empty while they are still being looked for. */
    report: () => withEnded(report, ended),
  }
}

/** Without internet, the search for tools fails every minute, in the same words but for names of folders and numbers. */
function withoutRepeats(log: Log) {
  const said = new Set<string>()
  const tell = (level: 'info' | 'warn') => (message: string) => {
    const words = message.replace(/\d+|\.fetching-\w+/g, '')
    if (!said.has(words)) log[level](message)
    said.add(words)
  }
  return { info: tell('info'), warn: tell('warn'), forget: () => said.clear() }
}
