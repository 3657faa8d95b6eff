/**
 * Makes a video playable while it is downloaded, from the moment someone wants to watch it. A failure here harms no download: it only means
 * that the video can be watched later.
 */
import { mkdir, rename, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { openEgressProxy } from '../../net/egress-proxy.ts'
import { unlessAborted } from '../../runtime/turns.ts'
import {
  type ArrivingFiles,
  arrivingFiles,
  hasStreamHeaders,
  pause,
  playsFromStart,
  Restarted,
  readGrowing,
  type SoundFile,
} from './arriving-files.ts'
import { info_file, sound_folder, soundArgumentsOf } from './command.ts'
import type { Arriving, ArrivingFacts, DownloadContext } from './download-context.ts'
import { makeSegments } from './hls-segments.ts'
import type { Plan } from './line.ts'
import { runTool } from './process.ts'
import { environment, proxied } from './tools.ts'

/** `stop` resolves when nothing is written any more. */
export type Arrival = { begin(plan: Plan): void; stop(): Promise<void> }

/** Follows yt-dlp from the moment its plan is known. */
export function arrivalOf(context: DownloadContext): Arrival {
  const { arriving } = context
  const stopping = new AbortController()
  const signal = AbortSignal.any([context.signal, stopping.signal])
  let followed: Promise<void> | undefined
  return {
    begin(plan) {
      if (arriving) followed ??= follow({ ...context, signal }, arriving, plan).catch(() => {})
    },
    async stop() {
      stopping.abort()
      await followed
    },
  }
}

async function follow(context: DownloadContext, arriving: Arriving, plan: Plan): Promise<void> {
  const { signal } = context
  await unlessAborted(arriving.wanted, signal)
  const files = arrivingFiles(plan, context.folder, context.quality)
  let facts: ArrivingFacts = { duration_s: plan.duration ?? null, is_whole_only: files === undefined }
  const say = (more: Partial<ArrivingFacts>) => {
    facts = { ...facts, ...more }
    return arriving.say(facts)
  }
  await say({})
  if (!files) return
  const ahead = files.sound && fetchSoundAhead(context, files.sound).catch(() => {})
  const onLength = (seconds: number) => {
    if (plan.duration == null) say({ duration_s: seconds }).catch(() => {})
  }
  try {
    const is_made = await segmentsOf(context, { arriving, files, onLength })
    if (!signal.aborted) await say(is_made ? { has_all: true } : { is_whole_only: true })
  } finally {
    // The folder belongs to no one else before it has ended.
    await ahead
  }
}

/**
 * Fetches the separate sound of a video while yt-dlp's main run fetches the picture: yt-dlp fetches one after the other, and a picture
 * without sound cannot be watched. The main run then finds the complete sound in its place and does not fetch it. If the sound cannot be
 * fetched here, the main run fetches it. Does nothing where the main run has reached the sound.
 */
async function fetchSoundAhead(context: DownloadContext, { format_id, ...sound }: SoundFile): Promise<void> {
  if (await hasBegun(sound.file)) return
  const { tools, silence_ms } = context
  const folder = join(context.folder, sound_folder)
  await mkdir(folder, { recursive: true })
  const refused = new AbortController()
  const proxy = await openEgressProxy(context.policy, () => refused.abort())
  try {
    const request = { format_id, folder, ffmpeg: tools.ffmpeg, version: tools.ytdlp.version }
    const { exit_code } = await runTool({
      kind: 'download',
      command: [...tools.leash, ...tools.ytdlp.command],
      args: soundArgumentsOf(request, join(context.folder, info_file)),
      cwd: folder,
      env: { ...(await environment(tools, folder)), ...tools.ytdlp.env, ...proxied(proxy.url) },
      signal: AbortSignal.any([context.signal, refused.signal]),
      silence_ms: () => silence_ms,
      longest_ms: context.deadline - Date.now(),
      onLine: () => {},
    })
    if (exit_code !== 0) await giveUp(sound.ahead)
    else if (!(await hasBegun(sound.file))) await rename(sound.ahead, sound.file)
  } finally {
    await proxy.close()
  }
}

/** Whether the main run has the sound or a part of the sound. */
const hasBegun = async (file: string): Promise<boolean> =>
  (await exists(file)) || (await exists(`${file}.part`)) || (await exists(`${file}.ytdl`))

const exists = async (file: string) => (await stat(file).catch(() => undefined)) !== undefined

/** A reader of the partial file then begins again, with the sound of the main run. */
const giveUp = (file: string) => truncate(`${file}.part`).catch(() => {})

/** yt-dlp may begin a file again from its start; then the segments begin again, too. */
const most_restarts = 20

type SegmentJob = { arriving: Arriving; files: ArrivingFiles; onLength(seconds: number): void }

async function segmentsOf(context: DownloadContext, { arriving, files, onLength }: SegmentJob): Promise<boolean> {
  const { signal } = context
  const names = [[files.main], ...(files.sound ? [[files.sound.file, files.sound.ahead]] : [])]
  for (let restarts = 0; restarts <= most_restarts; restarts++) {
    const begun = await Promise.all(names.map(each => firstBytes(each, signal)))
    if (begun.some(({ plays }) => !plays)) return false
    const inputs = names.map(each => (over: AbortSignal) => readGrowing(each, over))
    const has_stream_headers = begun.at(-1)?.has_stream_headers ?? false
    try {
      const folder = await arriving.newFolder()
      if (await makeSegments(context, { inputs, has_stream_headers, onLength }, folder, signal)) return true
      // The segments that ffmpeg made before it failed are useless.
      await arriving.newFolder()
      return false
    } catch (cause) {
      if (!(cause instanceof Restarted)) throw cause
    }
  }
  return false
}

type FileStart = { plays: boolean; has_stream_headers: boolean }

/** Waits until it is known whether the file can be played from its start. */
async function firstBytes(names: string[], signal: AbortSignal): Promise<FileStart> {
  for (;;) {
    signal.throwIfAborted()
    for (const name of names.flatMap(name => [name, `${name}.part`])) {
      const plays = await playsFromStart(name)
      if (plays !== undefined) return { plays, has_stream_headers: plays && (await hasStreamHeaders(name)) }
    }
    await pause(signal)
  }
}
