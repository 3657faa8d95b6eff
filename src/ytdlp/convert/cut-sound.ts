/**
 * Cuts the sound out of a film with ffmpeg, as an M4A whose index comes first. The packets are copied as they are; sound that an M4A
 * cannot hold is encoded once. Title and chapters stay.
 */
import { join } from 'node:path'
import { local_media, type Tools } from '../process/programs.ts'
import { probeFile, runFfmpeg, type Stream } from './ffmpeg.ts'
import { playedSound } from './mp4-plan.ts'

type SoundCut = {
  tools: Tools
  /** The film, on this machine. */
  film: string
  /** For the sound. The caller removes it. */
  folder: string
  signal: AbortSignal
  /** Why there is no room for so many bytes, in words; `undefined`: there is. */
  lackOfRoom(bytes: number): Promise<string | undefined>
}

/** `fault`: why there is no sound, in words. `is_final`: another try would end in the same way. */
export type CutResult = { file: string } | { fault: string; is_final: boolean }

/** ffmpeg copies these into MP4, and players of M4A know them. */
const copied = new Set(['aac', 'alac', 'mp3', 'ac3', 'eac3', 'opus', 'flac'])

/** Stereo for voices and music, where the sound must be encoded. */
const encoded = ['-c:a', 'aac', '-b:a', '160k', '-ac', '2']

/** More than the sound of sites has: 640 kbit/s. */
const most_bytes_a_second = 80_000
const longest_ms = 50 * 60_000

const faults = {
  none: { fault: 'This video has no sound.', is_final: true },
  unreadable: { fault: 'The sound of this file cannot be read.', is_final: true },
  broken_off: { fault: 'Cutting out the sound was broken off.', is_final: false },
}

/** Rejects when `signal` is aborted. */
export async function cutSound({ tools, film, folder, signal, lackOfRoom }: SoundCut): Promise<CutResult> {
  const probe = await probeFile(tools, { file: film, folder, signal })
  if (!probe) return faults.unreadable
  const stream = playedSound(probe.streams)
  if (!stream) return faults.none
  const seconds = stream.duration ?? probe.format.duration ?? 0
  const no_room = await lackOfRoom(Math.ceil(seconds * most_bytes_a_second))
  if (no_room !== undefined) return { fault: no_room, is_final: false }
  const file = join(folder, 'sound.m4a')
  const limits = { kind: 'sound', silence_ms: 60_000, deadline: performance.now() + longest_ms } as const
  const context = { ...limits, tools, folder, signal, is_background: true }
  for (const codec of copied.has(stream.codec_name) ? [['-c:a', 'copy'], encoded] : [encoded]) {
    const { ended, last_error } = await runFfmpeg(context, argumentsOf(film, stream, codec, file))
    if (ended.stopped || !ended.could_start || /No space left/i.test(last_error)) return faults.broken_off
    if (ended.exit === 0 && (await isWhole(tools, { file, folder, signal }, seconds))) return { file }
  }
  return faults.unreadable
}

const argumentsOf = (film: string, { index }: Stream, codec: string[], file: string) => [
  ...['-y', ...local_media, '-i', `file:${film}`],
  ...['-map', `0:${index}`, '-map_metadata', '0', '-map_chapters', '0', ...codec],
  ...['-movflags', '+faststart', '-brand', 'M4A ', '-f', 'mp4', `file:${file}`],
]

/** ffmpeg also ends well when the film ends early. */
async function isWhole(tools: Tools, sound: Parameters<typeof probeFile>[1], seconds: number): Promise<boolean> {
  const made = await probeFile(tools, sound)
  const length = made && (playedSound(made.streams)?.duration ?? made.format.duration)
  return length !== undefined && Math.abs(length - seconds) <= Math.max(1, seconds * 0.01)
}
