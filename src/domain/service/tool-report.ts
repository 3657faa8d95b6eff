/** What a worker tells the health page about its tools, and the advice that outdated tools give to a failure. */
import type { OperatorReport, WorkerReport } from '../../schema/service/health.ts'
import { type Renewal, RenewalReport } from '../../schema/service/renewal.ts'
import { cleaned, type Failure } from '../../ytdlp/failures/failure.ts'
import type { MissingTools, Tools } from '../../ytdlp/process/programs.ts'
import { javascriptFor } from '../../ytdlp/process/version.ts'
import { readRenewal } from '../../ytdlp/tools/versions.ts'
import { type ToolsFound, toolWarnings } from './health.ts'

/** The tools and the proxy of this process, as the health page shows them; `null` while they are being looked for. */
export type ToolReport = Pick<
  WorkerReport,
  'ytdlp_version' | 'ytdlp_source' | 'renewal' | 'operator' | 'ffmpeg_version' | 'javascript' | 'missing' | 'proxy'
>

/** How downloads ended. Kept by this process, whose configuration lasts as long. */
type Ended = Pick<OperatorReport, 'completed_at' | 'failed_at' | 'failed_reason'>

export const nothing_ended: Ended = { completed_at: null, failed_at: null, failed_reason: null }

/** What a site says about one video says nothing about the configuration. */
export function endedWith(before: Ended, failure: Failure | undefined, now: Date): Ended {
  if (!failure) return { ...before, completed_at: now.toISOString() }
  const is_telling = failure.kind === 'operator' || failure.kind === 'rate_limited' || failure.kind === 'transient'
  return is_telling ? { ...before, failed_at: now.toISOString(), failed_reason: failure.reason } : before
}

export const withEnded = (report: ToolReport, ended: Ended): ToolReport =>
  report.operator ? { ...report, operator: { ...report.operator, ...ended } } : report

export const unknown_tools: ToolReport = {
  missing: null,
  ytdlp_version: null,
  ytdlp_source: null,
  renewal: null,
  operator: null,
  ffmpeg_version: null,
  javascript: null,
}

/** `tools_dir`: where yt-dlp is renewed; `undefined`: it is not renewed by us. */
export async function reportOf(found: Tools | MissingTools, tools_dir: string | undefined): Promise<ToolReport> {
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
  const { tryOperator } = await import('../../ytdlp/tools/try-operator.ts')
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
