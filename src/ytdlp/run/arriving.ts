/**
 * Makes a video playable while it is downloaded, from the moment someone wants to watch it. It harms no download: what fails here only means
 * that the video can be watched later.
 */
import { unlessAborted } from '../../runtime/unless-aborted.ts'
import { type ArrivingFiles, arrivingFiles, hasStreamHeaders, playsFromStart } from './arriving-files.ts'
import type { Arriving, ArrivingFacts, DownloadContext } from './download-context.ts'
import { pause, Restarted, readGrowing } from './growing-file.ts'
import type { Plan } from './line.ts'
import { makeSegments } from './segments.ts'
import { fetchSoundAhead } from './sound-ahead.ts'

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

/** yt-dlp may begin a file again from its start; then the segments begin again, too. */
const most_restarts = 20

type Segmented = { arriving: Arriving; files: ArrivingFiles; onLength(seconds: number): void }

async function segmentsOf(context: DownloadContext, { arriving, files, onLength }: Segmented): Promise<boolean> {
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
      // What ffmpeg has made before it failed is not the beginning of anything.
      await arriving.newFolder()
      return false
    } catch (cause) {
      if (!(cause instanceof Restarted)) throw cause
    }
  }
  return false
}

type Begun = { plays: boolean; has_stream_headers: boolean }

/** Waits until it is known whether the file can be played from its start. */
async function firstBytes(names: string[], signal: AbortSignal): Promise<Begun> {
  for (;;) {
    signal.throwIfAborted()
    for (const name of names.flatMap(name => [name, `${name}.part`])) {
      const plays = await playsFromStart(name)
      if (plays !== undefined) return { plays, has_stream_headers: plays && (await hasStreamHeaders(name)) }
    }
    await pause(signal)
  }
}
