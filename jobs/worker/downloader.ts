/** Finds or fetches yt-dlp and ffmpeg in the background. A download waits for them; if one is missing, it fails and names it. */
import { resolve } from 'node:path'
import type { Config } from '../../src/config/config.ts'
import { type ToolsFound, toolWarnings } from '../../src/domain/service/health.ts'
import type { AddressPolicy } from '../../src/net/addresses.ts'
import { currentTime } from '../../src/runtime/clock.ts'
import { rateIn, timesIn } from '../../src/runtime/download-times.ts'
import type { Log } from '../../src/runtime/log.ts'
import { unlessAborted } from '../../src/runtime/turns.ts'
import type { OperatorReport, WorkerReport } from '../../src/schema/service/health.ts'
import { type Renewal, RenewalReport } from '../../src/schema/service/renewal.ts'
import type { Downloader } from '../../src/ytdlp/run/download.ts'
import type { CoverFetcher } from '../../src/ytdlp/run/download-context.ts'
import { cleaned, type Failure, withoutTools } from '../../src/ytdlp/run/failure.ts'
import { sharedRate } from '../../src/ytdlp/run/shared-rate.ts'
import type { MissingTools, ToolFinder, Tools } from '../../src/ytdlp/run/tools.ts'
import { javascriptFor } from '../../src/ytdlp/run/version.ts'
import { lazyTools } from '../../src/ytdlp/tools/lazy-tools.ts'
import { readRenewal } from '../../src/ytdlp/tools/versions.ts'
import type { ToolReport } from '../tasks/task-parts.ts'

export type Toolbox = {
  download: Downloader
  /** Gets yt-dlp ready in the background. */
  expectWatch(): void
  findTools: ToolFinder
  /** What is known of the tools so far; empty while they are still being looked for. */
  report(): ToolReport
  /** Looks again, because yt-dlp may have been renewed or rolled back. */
  refresh(): Promise<unknown>
}

/** Begins to look for the tools. What needs the tools waits for them. */
export function openToolbox(config: Config, policy: AddressPolicy, fetchPicture: CoverFetcher, log: Log): Toolbox {
  let report = unknown_tools
  let ended = nothing_ended
  let logged_version: string | undefined
  const is_ours = config.YTDLP_PATH === undefined && config.INSTALL_TOOLS === 'on'
  const renewing = is_ours ? resolve(config.DATA_DIR, 'tools') : undefined
  const findTools = lazyTools(config, { log }, async found => {
    report = await reportOf(found, renewing)
    // The log may show paths; pages may not.
    for (const warning of toolWarnings({ ...report, ...found }, new Date())) log.warn(warning)
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
    const silence_ms = config.DOWNLOAD_SILENCE_SECONDS * 1000
    // Loaded with the first download.
    const { createDownloader } = await import('../../src/ytdlp/run/download.ts')
    const result = await createDownloader({ tools, policy, fetchPicture, silence_ms, ...rate })(request)
    // What an account of a person meets says nothing about the configuration.
    if (request.cookies === undefined)
      ended = endedWith(ended, 'failure' in result ? result.failure : undefined, currentTime())
    const found_now = { missing: null, ytdlp_version: tools.ytdlp.version }
    return 'failure' in result ? { failure: withAdvice(result.failure, found_now, new Date()) } : result
  }
  const prepare = async () => {
    const [tools, { prepareYtdlp }] = await Promise.all([findTools(), import('../../src/ytdlp/run/warm.ts')])
    if (!('missing' in tools)) await prepareYtdlp(tools)
  }
  // A run that finds yt-dlp not ready says why.
  const expectWatch = () => void prepare().catch(() => {})
  return { download, expectWatch, findTools, report: () => withEnded(report, ended), refresh: findTools }
}

/** How downloads ended. Kept by this process, whose configuration lasts as long. */
type Ended = Pick<OperatorReport, 'completed_at' | 'failed_at' | 'failed_reason'>

const nothing_ended: Ended = { completed_at: null, failed_at: null, failed_reason: null }

/** What a site says about one video says nothing about the configuration. */
function endedWith(before: Ended, failure: Failure | undefined, now: Date): Ended {
  if (!failure) return { ...before, completed_at: now.toISOString() }
  const is_telling = failure.kind === 'operator' || failure.kind === 'rate_limited' || failure.kind === 'transient'
  return is_telling ? { ...before, failed_at: now.toISOString(), failed_reason: failure.reason } : before
}

const withEnded = (report: ToolReport, ended: Ended): ToolReport =>
  report.operator ? { ...report, operator: { ...report.operator, ...ended } } : report

const unknown_tools: ToolReport = {
  missing: null,
  ytdlp_version: null,
  ytdlp_source: null,
  renewal: null,
  operator: null,
  ffmpeg_version: null,
  javascript: null,
}

/** `tools_dir`: where yt-dlp is renewed; `undefined`: it is not renewed by us. */
async function reportOf(found: Tools | MissingTools, tools_dir: string | undefined): Promise<ToolReport> {
  const renewal = tools_dir === undefined ? null : reportOn(await readRenewal(tools_dir))
  if ('missing' in found) return { ...unknown_tools, renewal, missing: cleaned(found.missing) }
  const { ytdlp, ffmpeg_version } = found
  return {
    missing: null,
    ytdlp_version: ytdlp.version,
    ytdlp_source: ytdlp.source ?? null,
    renewal,
    operator: await operatorIn(found),
    ffmpeg_version,
    javascript: javascriptFor(ytdlp.version) ?? null,
  }
}

/** Names and no values, which may be secrets. */
async function operatorIn(tools: Tools): Promise<OperatorReport | null> {
  const { operator } = tools.ytdlp
  if (!operator) return null
  const { tryOperator } = await import('../../src/ytdlp/run/try-operator.ts')
  const names = [...operator.options.map(({ name }) => name), ...(operator.cookies === undefined ? [] : ['--cookies'])]
  return {
    options: [...new Set(names)],
    plugins: operator.plugins?.packages ?? [],
    problem: (await tryOperator(tools)) ?? null,
    ...nothing_ended,
  }
}

/** Without paths and addresses of machines, because pages show it. */
const reportOn = (renewal: Renewal): WorkerReport['renewal'] =>
  RenewalReport.parse({ ...renewal, problem: renewal.problem && cleaned(renewal.problem) })

/** Adds advice to a failure that outdated tools may have caused. */
export function withAdvice(failure: Failure, tools: ToolsFound, now: Date): Failure {
  const may_be_outdated = failure.kind === 'operator' || failure.kind === 'transient'
  if (!may_be_outdated || toolWarnings(tools, now).length === 0) return failure
  const advice = 'The download tools are outdated, which may be the reason. Ask your administrator to update them.'
  return { ...failure, sentence: `${failure.sentence} ${advice}` }
}
