/** Makes the MP4 or M4A that browsers play of a file that a person has already, by the code that downloads use. */
import type { SubtitleFile } from '../../schema/sources/subtitles.ts'
import type { DownloadContext } from './download-context.ts'
import type { Failure } from './failure.ts'
import { layoutOf, type Plan, planOf, soundPlanOf } from './mp4-plan.ts'
import { makePlayable } from './playable.ts'
import type { Probe } from './probe-file.ts'
import { innerSubtitles } from './subtitles.ts'
import type { Tools } from './tools.ts'

/**
 * What must be done to the file. An MP4 whose index is at its end is kept: it plays, and so it can be linked. One that is cut off is kept
 * as far as it goes, because there is no other.
 */
export async function conversionOf(file: string | Buffer, probe: Probe, is_sound: boolean): Promise<Plan['kind']> {
  const layout = await layoutOf(file).catch(() => 'other' as const)
  const plan = is_sound ? soundPlanOf : planOf
  return plan(probe, layout === 'index_last' || layout === 'cut_off' ? 'starts_fast' : layout).kind
}

/** Whether the converted file has everything that the file has: nothing is encoded again, and no subtitle or attachment is left out. */
export const losesNothing = (conversion: Plan['kind'], { streams }: Probe): boolean => {
  const kept = streams.filter(({ disposition }) => !disposition?.attached_pic)
  const count = (type: string) => kept.filter(({ codec_type }) => codec_type === type).length
  return conversion === 'remux' && count('video') <= 1 && kept.length === count('video') + count('audio')
}

/** A conversion that ffmpeg reports nothing of for this long is stopped. */
const silence_ms = 120_000
const longest_ms = 12 * 3_600_000

type OwnFile = { file: string; folder: string; probe: Probe; is_sound: boolean; signal: AbortSignal }

/** `file`: a link in `folder`, which is removed if it is unusable. Rejects only when `signal` is aborted, or when the disk fails. */
export const convertFile = (tools: Tools, own: OwnFile): Promise<{ file: string } | { failure: Failure }> =>
  makePlayable(contextOf(tools, own), own.file, () => {}, own.probe)

/** The subtitles inside the file, as files in `folder`. Rejects only when `signal` is aborted. */
export const subtitlesInside = (tools: Tools, own: OwnFile): Promise<SubtitleFile[]> =>
  innerSubtitles(contextOf(tools, own), own.file, own.probe)

const contextOf = (tools: Tools, { folder, is_sound, signal }: OwnFile): DownloadContext => ({
  tools,
  policy: { resolve: () => Promise.reject(new Error('a conversion connects to no host')) },
  quality: is_sound ? 'audio' : 'best',
  folder,
  signal,
  silence_ms,
  deadline: Date.now() + longest_ms,
  onProgress: () => {},
})
