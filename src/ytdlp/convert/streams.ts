/** What a finished file contains, from what ffprobe says about it. */
import { FileStreams, type PictureStream, type SoundStream } from '../../schema/sources/streams.ts'
import { compatiblePlanOf } from './compatible-plan.ts'
import type { Probe, Stream } from './ffmpeg.ts'
import { languageOf } from './inner-subtitles.ts'
import { isHdr, isPicture, isSound, max_sounds, titleOf } from './mp4-plan.ts'

/** `null`: ffprobe could not read the file, or says something that no file can be. */
export function streamsIn(probe: Probe | undefined): FileStreams | null {
  if (!probe) return null
  const { streams, format } = probe
  const picture = streams.find(isPicture)
  const sounds = streams.filter(isSound).slice(0, max_sounds)
  const found = {
    video: picture ? pictureOf(picture) : null,
    sounds: sounds.map(soundOf),
    duration_seconds: format.duration ?? null,
    // An index at the end of the file hinders no device.
    is_compatible: compatiblePlanOf(probe, 'starts_fast').kind === 'keep',
  }
  return FileStreams.safeParse(found).data ?? null
}

const pictureOf = (stream: Stream): PictureStream => ({
  codec: stream.codec_name,
  profile: stream.profile ?? null,
  width: stream.width ?? 0,
  height: stream.height ?? 0,
  frame_rate: stream.avg_frame_rate ? Math.round(stream.avg_frame_rate * 100) / 100 : null,
  bits: Number(/(9|1[0246])[lb]e$/.exec(stream.pix_fmt ?? '')?.[1] ?? 8),
  is_hdr: isHdr(stream),
})

const soundOf = (stream: Stream): SoundStream => ({
  codec: stream.codec_name,
  channels: stream.channels ?? null,
  language: languageOf(stream) ?? null,
  title: titleOf(stream) ?? null,
})
