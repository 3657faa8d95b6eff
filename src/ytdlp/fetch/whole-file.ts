/**
 * Makes sure that the file of a download is whole, and is one file. A partial file is continued only with bytes of the same file. A
 * complete file is checked before anything writes its index again, because the proof is gone then: its bytes against its index, its length
 * against what the site says, and samples of it by decoding them.
 */
import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeWhole } from '../../runtime/folders.ts'
import { jsonIn } from '../../runtime/json.ts'
import { sound_folder, stemFor } from '../ask/command.ts'
import type { FileProgress } from '../ask/output.ts'
import { type Probe, runFfmpeg } from '../convert/ffmpeg.ts'
import { layoutOf } from '../convert/mp4-plan.ts'
import { type Failure, failures } from '../failures/failure.ts'
import type { DownloadContext } from '../process/download-context.ts'
import { local_media } from '../process/programs.ts'

/** Where the partial files of a quality are. */
type Place = Pick<DownloadContext, 'folder' | 'quality'>

const sizes_note = 'sizes.json'

/**
 * The size of the whole file, as yt-dlp reports it: recorded when the first bytes come, also for later runs. yt-dlp asks for the rest of a
 * file without `If-Range`, and our proxy cannot see the headers of https, so sizes are compared. A partial file whose whole size is unknown
 * is fetched again.
 *
 * `isOther`: the bytes that come now belong to another file than those before; records the size of a file that is new. `saved`: resolves
 * when the sizes are recorded.
 */
type FileSizes = { isOther(report: FileProgress): boolean; saved(): Promise<void> }

/** Reads the recorded sizes, and removes what cannot be continued. Call before yt-dlp starts. */
export async function readFileSizes(place: Place): Promise<FileSizes> {
  const file = join(place.folder, sizes_note)
  const sizes = await notedIn(file)
  if (sizes.size === 0 || [...sizes.values()].includes(unknown)) {
    await forgetPartial(place)
    sizes.clear()
  }
  // yt-dlp's main run does not report the sizes of this sound.
  await rm(join(place.folder, sound_folder), { recursive: true, force: true })
  let saved = Promise.resolve()
  return {
    isOther({ format_id, progress }) {
      const { unit, size } = sizeOf(progress)
      const key = `${format_id} ${unit}`
      const earlier = sizes.get(key)
      if (earlier !== undefined) return size !== earlier
      if (size === unknown && progress.status === 'finished') return false
      sizes.set(key, size)
      const text = JSON.stringify([...sizes])
      // Without the record, the next run begins again.
      saved = saved.then(() => writeWhole(file, text)).catch(() => {})
      return false
    },
    saved: () => saved,
  }
}

/** Empty where the record is missing or, after a crash, not whole. */
const notedIn = async (file: string): Promise<Map<string, number>> => {
  const recorded = jsonIn(await readFile(file, 'utf8').catch(() => ''))
  // Only `readFileSizes` writes this file.
  return new Map(recorded as [string, number][] | undefined)
}

const unknown = -1

/** Before a file in fragments is complete, only the number of its fragments is known. */
function sizeOf({ total_bytes, fragment_count }: FileProgress['progress']): { unit: string; size: number } {
  if (fragment_count) return { unit: 'fragments', size: fragment_count }
  return total_bytes ? { unit: 'bytes', size: total_bytes } : { unit: 'unknown', size: unknown }
}

/** Removes everything that a run has fetched, so that the next run begins again. */
export async function forgetPartial({ folder, quality }: Place): Promise<void> {
  const stem = `${stemFor(quality)}.`
  const names = (await readdir(folder)).filter(name => name.startsWith(stem) || name === sizes_note)
  for (const name of names) {
    // A reader of the growing file notices that it begins again (`readGrowing`).
    if (name.endsWith('.part')) await truncate(join(folder, name))
    await rm(join(folder, name), { recursive: true, force: true })
  }
}

/**
 * Why the file is not whole; `undefined`: nothing speaks against it. `probe`: `undefined`: ffprobe cannot read the file. `said_s`: the
 * length that the site says; `null`: it says none.
 */
export async function brokenFile(
  context: DownloadContext,
  file: string,
  probe: Probe | undefined,
  said_s: number | null,
): Promise<Failure | undefined> {
  const fault =
    (await layoutOf(file)) === 'cut_off'
      ? ends_early
      : probe && ((await shortness(context.folder, probe, said_s)) ?? (await damage(context, file, probe)))
  return fault === undefined ? undefined : { ...failures.broken, detail: fault }
}

const ends_early = 'The file ends before its data does.'

/** The length in seconds; the shorter one of picture and sound counts. `undefined`: unknown. */
function lengthOf({ streams, format }: Probe): number | undefined {
  const lasting = ['video', 'audio'].flatMap(
    type =>
      streams.find(({ codec_type, disposition }) => codec_type === type && !disposition?.attached_pic)?.duration ?? [],
  )
  return lasting.length > 0 ? Math.min(...lasting) : format.duration
}

/** What sites say is rounded, and may include a trailer that is not sent. */
const tolerance = { seconds: 5, share: 0.02 }
const short_note = 'short.txt'

/**
 * A site may say a wrong length. So a file that is otherwise whole is kept when it was as short in the attempt before, which had begun
 * at the start too.
 */
async function shortness(folder: string, probe: Probe, said_s: number | null): Promise<string | undefined> {
  const found_s = lengthOf(probe)
  if (said_s === null || found_s === undefined) return undefined
  if (found_s >= said_s - Math.max(tolerance.seconds, said_s * tolerance.share)) return undefined
  const before = Number(await readFile(join(folder, short_note), 'utf8').catch(() => Number.NaN))
  if (Math.abs(before - found_s) < 1) return undefined
  await writeFile(join(folder, short_note), String(found_s))
  return `The file lasts ${Math.round(found_s)} seconds, and the site says ${Math.round(said_s)}.`
}

/** A file of at most this length is decoded as a whole; of a file of unknown length, this much is decoded from its beginning. */
const longest_whole_s = 20
/**
 * Where a longer file is sampled for a second, as shares of its length. After the seam of two mixed files, nothing can be decoded. For
 * 1080p the samples cost three seconds of processor time, whatever the size of the file.
 */
const samples = [0.2, 0.4, 0.6, 0.8]
/** The last seconds are decoded, too. */
const tail_s = 3
/** A damaged second has hundreds of errors. Whole files of some encoders have a few where the decoding begins. */
const max_decoder_errors = 50
/** After this time the decoding is stopped, and the file counts as whole. */
const longest_ms = 120_000

async function damage(context: DownloadContext, file: string, { format }: Probe): Promise<string | undefined> {
  const length = format.duration ?? 0
  const windows =
    length <= longest_whole_s
      ? [['-t', String(longest_whole_s)]]
      : [
          ...samples.map(share => ['-noaccurate_seek', '-ss', (length * share).toFixed(3), '-t', '1']),
          ['-noaccurate_seek', '-ss', (length - tail_s).toFixed(3)],
        ]
  let errors = 0
  let is_cut_off = false
  const late = AbortSignal.timeout(longest_ms)
  const args = [
    // ffmpeg then prints each error of a decoder, and not their number.
    ...['-loglevel', 'repeat+error'],
    ...windows.flatMap(window => [...window, ...local_media, '-i', `file:${file}`]),
    ...windows.flatMap((_, n) => ['-map', `${n}:V:0?`, '-map', `${n}:a:0?`, '-f', 'null', '-']),
  ]
  await runFfmpeg({ ...context, signal: AbortSignal.any([context.signal, late]) }, args, line => {
    if (line.startsWith('[')) errors += 1
    is_cut_off ||= /^\[[^\]]+\] (?:.*: partial file$|File ended prematurely)/.test(line)
  }).catch(() => context.signal.throwIfAborted())
  if (is_cut_off) return ends_early
  return errors > max_decoder_errors
    ? `Parts of the file cannot be decoded (${errors} errors in the samples).`
    : undefined
}
