/**
 * Turns a file into the MP4, M4A or MP3 that browsers play: one that was downloaded, or one that a person has already. A plan of each kind
 * of file (`mp4-plan.ts`, `compatible-plan.ts`, `mp3-plan.ts`) says what is to be done, and ffmpeg carries it out.
 */
import { link, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Extension, extensionFor, type Quality } from '../../schema/downloads/quality.ts'
import type { SubtitleFile } from '../../schema/sources/subtitles.ts'
import { cleaned, type Failure, failures } from '../failures/failure.ts'
import { failureOf } from '../failures/read-error.ts'
import type { DownloadContext } from '../process/download-context.ts'
import { local_media, type Tools } from '../process/programs.ts'
import type { ToolEnd } from '../process/run-tool.ts'
import { compatiblePlanOf } from './compatible-plan.ts'
import { type FfmpegContext, type Probe, runFfmpeg } from './ffmpeg.ts'
import { innerSubtitles } from './inner-subtitles.ts'
import { isMp3File, mp3PlanOf } from './mp3-plan.ts'
import { type Conversion, isSound, type Layout, layoutOf, m4aPlanOf, mp4PlanOf } from './mp4-plan.ts'

/**
 * Keeps `file` until the result is complete, so that an interrupted run can be repeated. A file that is unusable is removed,
 * because the next attempt would find it and not download it again. `probe`: of the file; `undefined`: it cannot be read.
 */
export async function makePlayable(
  context: FfmpegContext & Pick<DownloadContext, 'quality'>,
  file: string,
  onConversion: (percent: number | null) => void,
  probe: Probe | undefined,
): Promise<{ file: string } | { failure: Failure }> {
  const extension = extensionFor(context.quality)
  const plan: Conversion = probe ? planFor(context.quality)(probe, await layoutOf(file)) : { kind: 'no_video' }
  const ready = join(context.folder, `ready.${extension}`)
  if (plan.kind === 'no_video' || plan.kind === 'no_sound') {
    await rm(file, { force: true })
    if (plan.kind === 'no_sound') return { failure: failures.no_sound }
    const has_sound = probe?.streams.some(isSound)
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
  let lacks_zscale = false
  const run = (args: string[]) =>
    runFfmpeg(context, ['-y', ...local_media, '-i', `file:${file}`, ...args, `file:${made}`], line => {
      lacks_zscale ||= /No such filter: '(zscale|tonemap)'/.test(line)
      const percent = percentOf(line)
      if (percent !== undefined) onConversion(percent)
    })
  const first = await run(plan.args)
  const { ended, last_error } = lacks_zscale && plan.without_zscale ? await run(plan.without_zscale) : first
  if (ended.exit !== 0) {
    const failure = conversionFailure(ended, last_error)
    if (failure.kind !== 'local') await rm(file, { force: true })
    return { failure }
  }
  await rename(made, ready)
  return { file: ready }
}

type Planner = (probe: Probe, layout: Layout) => Conversion

const planners: Partial<Record<Quality, Planner>> = {
  compatible: compatiblePlanOf,
  audio: m4aPlanOf,
  mp3: mp3PlanOf,
}

const planFor = (quality: Quality): Planner => planners[quality] ?? mp4PlanOf

function conversionFailure({ stopped }: ToolEnd, last_error: string): Failure {
  if (stopped) return { ...failures[stopped], detail: cleaned(last_error) }
  return last_error ? failureOf({ said: last_error }) : failures.not_readable
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

/** In which quality a file of sound is kept that a person has already. An MP3 plays as it is. */
const soundQualityOf = (probe: Probe): Quality => (isMp3File(probe) ? 'mp3' : 'audio')

/** The extension that such a file gets. */
export const extensionOfOwn = (probe: Probe, is_sound: boolean): Extension =>
  extensionFor(is_sound ? soundQualityOf(probe) : 'best')

/**
 * What must be done to a file that a person has already. An MP4 whose index is at its end is kept: it plays, and so it can be linked. A
 * file that is cut off is kept as far as it goes, because there is no other.
 */
export async function conversionOf(file: string | Buffer, probe: Probe, is_sound: boolean) {
  const layout = await layoutOf(file).catch(() => 'other' as const)
  const plan = is_sound ? planFor(soundQualityOf(probe)) : mp4PlanOf
  return plan(probe, layout === 'index_last' || layout === 'cut_off' ? 'starts_fast' : layout).kind
}

/** Whether the converted file has everything that the file has: nothing is encoded again, and no subtitle or attachment is left out. */
export const losesNothing = (conversion: Conversion['kind'], { streams }: Probe): boolean => {
  const kept = streams.filter(({ disposition }) => !disposition?.attached_pic)
  const count = (type: string) => kept.filter(({ codec_type }) => codec_type === type).length
  return conversion === 'remux' && count('video') <= 1 && kept.length === count('video') + count('audio')
}

/** ffmpeg is stopped when it reports nothing for ten times as long. */
const silence_ms = 120_000
const longest_ms = 12 * 3_600_000

type OwnFile = { file: string; folder: string; probe: Probe; is_sound: boolean; signal: AbortSignal } & Pick<
  DownloadContext,
  'languages'
>

/** `file`: a link in `folder`, which is removed if it is unusable. Rejects only when `signal` is aborted, or when the disk fails. */
export const convertFile = (tools: Tools, own: OwnFile): Promise<{ file: string } | { failure: Failure }> =>
  makePlayable(contextOf(tools, own), own.file, () => {}, own.probe)

/** The subtitles inside the file, as files in `folder`. Rejects only when `signal` is aborted. */
export const subtitlesInside = (tools: Tools, own: OwnFile): Promise<SubtitleFile[]> =>
  innerSubtitles(contextOf(tools, own), own.file, own.probe)

const contextOf = (tools: Tools, { folder, probe, is_sound, languages, signal }: OwnFile) => ({
  tools,
  quality: is_sound ? soundQualityOf(probe) : ('best' as const),
  languages,
  folder,
  signal,
  silence_ms,
  deadline: performance.now() + longest_ms,
})
