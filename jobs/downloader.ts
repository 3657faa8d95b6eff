/** The tools of this process: found, or fetched, in the background. Downloads wait for them; what is wrong with them is said. */
import type { Config } from '../src/config.ts'
import { type ToolsFound, toolWarnings } from '../src/domain/health.ts'
import type { Log } from '../src/log.ts'
import type { AddressPolicy } from '../src/net/addresses.ts'
import type { WorkerReport } from '../src/schema/health.ts'
import { createDownloader, type Downloader } from '../src/ytdlp/download.ts'
import { cleaned } from '../src/ytdlp/failure.ts'
import { findTools, type Tools } from '../src/ytdlp/tools.ts'
import { ffmpegVersion, javascriptFor } from '../src/ytdlp/version.ts'

/** How soon to look again: for what is missing, and for a newer yt-dlp, which has to keep up with the sites. */
const look_again_ms = { missing: 60_000, found: 24 * 3_600_000 }

export type ToolsReport = Pick<WorkerReport, 'ytdlp_version' | 'ffmpeg_version' | 'javascript' | 'missing'>
export type Toolbox = {
  download: Downloader
  /** What is known of the tools so far: nothing while they are still looked for. */
  report(): ToolsReport
}

export function lazyDownloader(config: Config, policy: AddressPolicy, log: Log): Toolbox {
  let report = unknown_tools
  const look = async () => {
    const found = await findTools({
      ytdlp_path: config.YTDLP_PATH,
      ffmpeg_path: config.FFMPEG_PATH,
      path: config.PATH,
      data_dir: config.DATA_DIR,
      log,
    })
    report = await reportOf(found)
    // The log may name the paths that no page shows.
    for (const warning of toolWarnings({ ...report, ...found }, new Date())) log.warn(warning)
    if (!('missing' in found)) log.info(`Downloads are made with yt-dlp ${found.ytdlp.version}.`)
    return { found, at: Date.now() }
  }

  let looking = look()
  const download: Downloader = async request => {
    const latest = looking
    const { found, at } = await latest
    if (looking === latest && Date.now() - at > look_again_ms['missing' in found ? 'missing' : 'found'])
      looking = look()
    const { found: tools } = await looking
    if ('missing' in tools) return { failure: withoutTools(tools.missing) }
    request.signal.throwIfAborted()
    const silence_ms = config.DOWNLOAD_SILENCE_SECONDS * 1000
    const result = await createDownloader({ tools, policy, silence_ms })(request)
    const found_now = { missing: null, ytdlp_version: tools.ytdlp.version }
    return 'failure' in result ? { failure: explained(result.failure, found_now, new Date()) } : result
  }
  return { download, report: () => report }
}

const unknown_tools: ToolsReport = { missing: null, ytdlp_version: null, ffmpeg_version: null, javascript: null }

async function reportOf(found: Tools | { missing: string }): Promise<ToolsReport> {
  if ('missing' in found) return { ...unknown_tools, missing: cleaned(found.missing) }
  const { ytdlp, ffmpeg } = found
  return {
    missing: null,
    ytdlp_version: ytdlp.version,
    ffmpeg_version: (await ffmpegVersion(ffmpeg)) ?? null,
    javascript: javascriptFor(ytdlp.version) ?? null,
  }
}

type Failure = Extract<Awaited<ReturnType<Downloader>>, { failure: unknown }>['failure']

export const withoutTools = (missing: string): Failure => ({
  kind: 'operator',
  sentence: 'The downloading tools are missing here. Ask whoever runs this service to look at its health page.',
  detail: cleaned(missing),
})

/** A failure that newer tools might not have had says so. */
export function explained(failure: Failure, tools: ToolsFound, now: Date): Failure {
  const may_help = failure.kind === 'operator' || failure.kind === 'transient'
  if (!may_help || toolWarnings(tools, now).length === 0) return failure
  const advice = 'The downloading tools here are old, which may be why: ask whoever runs this service to update them.'
  return { ...failure, sentence: `${failure.sentence} ${advice}` }
}
