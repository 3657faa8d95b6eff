/** The tools of this process: found, or fetched, in the background. Downloads wait for them; what is wrong with them is said. */
import { resolve } from 'node:path'
import type { Config } from '../../src/config.ts'
import { type ToolsFound, toolWarnings } from '../../src/domain/health.ts'
import type { AddressPolicy } from '../../src/net/addresses.ts'
import type { Log } from '../../src/runtime/log.ts'
import type { WorkerReport } from '../../src/schema/health.ts'
import { type Renewal, RenewalReport } from '../../src/schema/renewal.ts'
import { cleaned } from '../../src/ytdlp/run/cleaned.ts'
import { createDownloader, type Downloader } from '../../src/ytdlp/run/download.ts'
import type { Missing, Tools } from '../../src/ytdlp/run/tools.ts'
import { lazyTools } from '../../src/ytdlp/tools/lazy-tools.ts'
import { ffmpegVersion, javascriptFor } from '../../src/ytdlp/tools/version.ts'
import { readRenewal } from '../../src/ytdlp/tools/versions.ts'

export type ToolsReport = Pick<
  WorkerReport,
  'ytdlp_version' | 'ytdlp_source' | 'renewal' | 'ffmpeg_version' | 'javascript' | 'missing'
>
export type Toolbox = {
  download: Downloader
  /** What is known of the tools so far: nothing while they are still looked for. */
  report(): ToolsReport
  /** Notices a yt-dlp that was brought or taken back meanwhile. */
  refresh(): Promise<unknown>
}

export function lazyDownloader(config: Config, policy: AddressPolicy, log: Log): Toolbox {
  let report = unknown_tools
  let said: string | undefined
  const is_ours = config.YTDLP_PATH === undefined && config.INSTALL_TOOLS === 'on'
  const renewing = is_ours ? resolve(config.DATA_DIR, 'tools') : undefined
  const findTools = lazyTools(config, { log }, async found => {
    report = await reportOf(found, renewing)
    // The log may name the paths that no page shows.
    for (const warning of toolWarnings({ ...report, ...found }, new Date())) log.warn(warning)
    const version = 'missing' in found ? undefined : found.ytdlp.version
    if (version && version !== said) log.info(`Downloads are made with yt-dlp ${version}.`)
    said = version
  })
  // At once, so that they are there when the first download wants them.
  findTools().catch((fault: unknown) => log.warn({ err: fault }, 'could not look for yt-dlp and ffmpeg'))

  const download: Downloader = async request => {
    const tools = await unless(request.signal, findTools())
    if ('missing' in tools) return { failure: withoutTools(tools.missing) }
    const silence_ms = config.DOWNLOAD_SILENCE_SECONDS * 1000
    const result = await createDownloader({ tools, policy, silence_ms })(request)
    const found_now = { missing: null, ytdlp_version: tools.ytdlp.version }
    return 'failure' in result ? { failure: explained(result.failure, found_now, new Date()) } : result
  }
  return { download, report: () => report, refresh: findTools }
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

const unknown_tools: ToolsReport = {
  missing: null,
  ytdlp_version: null,
  ytdlp_source: null,
  renewal: null,
  ffmpeg_version: null,
  javascript: null,
}

/** `tools_dir`: where yt-dlp is renewed; not given: nowhere. */
async function reportOf(found: Tools | Missing, tools_dir: string | undefined): Promise<ToolsReport> {
  const renewal = tools_dir === undefined ? null : reportOn(await readRenewal(tools_dir))
  if ('missing' in found) return { ...unknown_tools, renewal, missing: cleaned(found.missing) }
  const { ytdlp, ffmpeg } = found
  return {
    missing: null,
    ytdlp_version: ytdlp.version,
    ytdlp_source: ytdlp.source ?? null,
    renewal,
    ffmpeg_version: (await ffmpegVersion(ffmpeg)) ?? null,
    javascript: javascriptFor(ytdlp.version) ?? null,
  }
}

/** Pages show neither paths nor addresses of machines. */
const reportOn = (renewal: Renewal): WorkerReport['renewal'] =>
  RenewalReport.parse({ ...renewal, problem: renewal.problem && cleaned(renewal.problem) })

type Failure = Extract<Awaited<ReturnType<Downloader>>, { failure: unknown }>['failure']

export const withoutTools = (missing: string): Failure => ({
  kind: 'operator',
  reason: 'tools',
  sentence: 'The download tools are missing. Ask your administrator to install them.',
  detail: cleaned(missing),
})

/** A failure that newer tools might not have had says so. */
export function explained(failure: Failure, tools: ToolsFound, now: Date): Failure {
  const may_help = failure.kind === 'operator' || failure.kind === 'transient'
  if (!may_help || toolWarnings(tools, now).length === 0) return failure
  const advice = 'The download tools are outdated, which may be the reason. Ask your administrator to update them.'
  return { ...failure, sentence: `${failure.sentence} ${advice}` }
}
