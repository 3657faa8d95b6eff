/** Turns the downloaded file into the MP4 or M4A that is kept, with ffprobe and ffmpeg. `mp4-plan.ts` plans it. */
import { link, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { extensionFor } from '../../schema/downloads/quality.ts'
import { local_media } from './command.ts'
import type { DownloadContext } from './download-context.ts'
import { cleaned, type Failure, failures } from './failure.ts'
import type { ToolKind } from './limits.ts'
import { layoutOf, type Plan, planOf, soundPlanOf } from './mp4-plan.ts'
import type { Probe } from './probe-file.ts'
import { type Ended, runTool } from './process.ts'
import { failureOf } from './read-error.ts'

/**
 * Keeps `file` until the result is complete, so that an interrupted run can be repeated. A file that is unusable is removed,
 * because the next attempt would find it and not download it again. `probe`: of the file; `undefined`: it cannot be read.
 */
export async function makePlayable(
  context: DownloadContext,
  file: string,
  onConversion: (percent: number | null) => void,
  probe: Probe | undefined,
): Promise<{ file: string } | { failure: Failure }> {
  const extension = extensionFor(context.quality)
  const decide = extension === 'm4a' ? soundPlanOf : planOf
  const plan: Plan = probe ? decide(probe, await layoutOf(file)) : { kind: 'no_video' }
  const ready = join(context.folder, `ready.${extension}`)
  if (plan.kind === 'no_video' || plan.kind === 'no_sound') {
    await rm(file, { force: true })
    if (plan.kind === 'no_sound') return { failure: failures.no_sound }
    const has_sound = probe?.streams.some(({ codec_type }) => codec_type === 'audio')
    return { failure: has_sound ? failures.no_picture : failures.not_readable }
  }
  if (plan.kind === 'keep') {
    // Linked, not renamed, so that a run that is interrupted after this finds its download again.
    await rm(ready, { force: true })
    await link(file, ready).catch(() => rename(file, ready))
    return { file: ready }
  }
  const duration_s = probe?.format.duration
  onConversion(duration_s ? 0 : null)
  const percentOf = conversionReader(duration_s)
  const made = join(context.folder, `making.${extension}`)
  const args = ['-y', ...local_media, '-i', `file:${file}`, ...plan.args, `file:${made}`]
  const { ended, errors } = await runFfmpeg(context, args, line => {
    const percent = percentOf(line)
    if (percent !== undefined) onConversion(percent)
  })
  if (ended.exit_code !== 0) {
    const failure = conversionFailure(ended, errors)
    if (failure.kind !== 'local') await rm(file, { force: true })
    return { failure }
  }
  await rename(made, ready)
  return { file: ready }
}

function conversionFailure({ stopped }: Ended, errors: string): Failure {
  if (stopped) return { ...failures[stopped], detail: cleaned(errors) }
  return errors ? failureOf({ said: errors }) : failures.not_readable
}

/** Returns a function for each line that ffmpeg prints for `-progress`: the percent so far, 0–100, or `undefined` when it has not risen. */
export function conversionReader(duration_s: number | undefined): (line: string) => number | undefined {
  let latest = 0
  return line => {
    const [, time_us] = /^out_time_us=(\d{1,15})$/.exec(line) ?? []
    if (!time_us || !duration_s || duration_s <= 0) return undefined
    const percent = Math.min(100, Math.floor(Number(time_us) / (duration_s * 10_000)))
    if (percent <= latest) return undefined
    latest = percent
    return percent
  }
}

/** `onLine` also receives the lines of `-progress`, each of which shows that ffmpeg has not hung. */
export async function runFfmpeg(
  context: DownloadContext,
  args: string[],
  onLine = (_line: string) => {},
  kind: ToolKind = 'convert',
) {
  let errors = ''
  const quiet = ['-nostdin', '-nostats', '-loglevel', 'error', '-progress', 'pipe:1']
  const ended = await runTool({
    kind,
    command: [...context.tools.leash, context.tools.ffmpeg],
    args: [...quiet, ...args],
    cwd: context.folder,
    env: { PATH: context.tools.path, LANG: 'C.UTF-8', ...context.tools.system_env },
    signal: context.signal,
    // ffmpeg prints nothing while it moves the index to the front of a large file.
    silence_ms: () => context.silence_ms * 10,
    longest_ms: context.deadline - Date.now(),
    onLine: line => {
      if (!/^[a-z0-9_]+=/.test(line)) errors = line
      onLine(line)
    },
  })
  return { ended, errors }
}
