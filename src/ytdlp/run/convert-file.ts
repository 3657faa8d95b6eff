/** Makes the MP4 or M4A that browsers play of a file that a person has already, by the code that downloads use. */
import type { Failure } from './failure.ts'
import { layoutOf, type Plan, planOf, soundPlanOf } from './mp4-plan.ts'
import { makePlayable } from './playable.ts'
import type { Probe } from './probe-file.ts'
import type { Tools } from './tools.ts'

/** What must be done to the file. An MP4 whose index is at its end is kept: it plays, and so it can be linked. */
export async function conversionOf(file: string | Buffer, probe: Probe, is_sound: boolean): Promise<Plan['kind']> {
  const layout = await layoutOf(file).catch(() => 'other' as const)
  const plan = is_sound ? soundPlanOf : planOf
  return plan(probe, layout === 'index_last' ? 'starts_fast' : layout).kind
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

/** `file`: a link in `folder`, which is removed if it is unusable. Rejects only when `signal` is aborted, or when the disk fails. */
export const convertFile = (
  tools: Tools,
  {
    file,
    folder,
    probe,
    is_sound,
    signal,
  }: { file: string; folder: string; probe: Probe; is_sound: boolean; signal: AbortSignal },
): Promise<{ file: string } | { failure: Failure }> =>
  makePlayable(
    {
      tools,
      policy: { resolve: () => Promise.reject(new Error('a conversion connects to no host')) },
      quality: is_sound ? 'audio' : 'best',
      folder,
      signal,
      silence_ms,
      deadline: Date.now() + longest_ms,
      onProgress: () => {},
    },
    file,
    () => {},
    probe,
  )
