/**
 * Checks that a downloaded file is whole: its bytes against its index, its length against what the site says, and samples of it by
 * decoding them. Must run before anything writes the index anew, because the proof is gone then.
 *
 * The samples are a few seconds, whatever the length of the file: for 1080p they cost three seconds of processor time, not more for a
 * gigabyte.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { local_media } from './command.ts'
import type { DownloadContext } from './download-context.ts'
import { type Failure, failures } from './failure.ts'
import { layoutOf } from './mp4-plan.ts'
import { runFfmpeg } from './playable.ts'
import type { Probe } from './probe-file.ts'

/**
 * `undefined`: nothing speaks against the file. `probe`: `undefined`: ffprobe cannot read it. `said_s`: the length that the site says;
 * `null`: it says none.
 */
export async function brokenFile(
  context: DownloadContext,
  file: string,
  probe: Probe | undefined,
  said_s: number | null,
): Promise<Failure | undefined> {
  const fault =
    (await layoutOf(file)) === 'cut_off'
      ? 'The file ends before its data does.'
      : probe && ((await shortness(context, probe, said_s)) ?? (await damage(context, file, probe)))
  return fault === undefined ? undefined : { ...failures.broken, detail: fault }
}

/** In seconds, of picture and sound, of which the shorter one counts. `undefined`: unknown. */
function lengthOf({ streams, format }: Probe): number | undefined {
  const lasting = ['video', 'audio'].flatMap(
    type =>
      streams.find(({ codec_type, disposition }) => codec_type === type && !disposition?.attached_pic)?.duration ?? [],
  )
  return lasting.length > 0 ? Math.min(...lasting) : format.duration
}

/** What sites say is rounded, and may include a trailer that is not sent. */
const tolerance = { seconds: 5, share: 0.02 }
const note = 'short.txt'

/**
 * A site may say a wrong length. So a file that is otherwise whole is kept when it was as short in the attempt before, which had begun
 * at the start too.
 */
async function shortness(
  { folder }: DownloadContext,
  probe: Probe,
  said_s: number | null,
): Promise<string | undefined> {
  const found_s = lengthOf(probe)
  if (said_s === null || found_s === undefined) return undefined
  if (found_s >= said_s - Math.max(tolerance.seconds, said_s * tolerance.share)) return undefined
  const before = Number(await readFile(join(folder, note), 'utf8').catch(() => Number.NaN))
  if (Math.abs(before - found_s) < 1) return undefined
  await writeFile(join(folder, note), String(found_s))
  return `The file lasts ${Math.round(found_s)} seconds, and the site says ${Math.round(said_s)}.`
}

/** A shorter file is decoded as a whole, and of one whose length is unknown the beginning. */
const longest_whole_s = 20
/** Where a longer one is sampled for a second, as shares of its length. After the seam of two mixed files, nothing can be decoded. */
const samples = [0.2, 0.4, 0.6, 0.8]
/** The last seconds are decoded, too. */
const tail_s = 3
/** A damaged second has hundreds of errors. Whole files of some encoders have a few where the decoding begins. */
const most_errors = 50
/** Then the file counts as whole. */
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
    // Each error of a decoder, not a count of them.
    ...['-loglevel', 'repeat+error'],
    ...windows.flatMap(window => [...window, ...local_media, '-i', `file:${file}`]),
    ...windows.flatMap((_, n) => ['-map', `${n}:V:0?`, '-map', `${n}:a:0?`, '-f', 'null', '-']),
  ]
  await runFfmpeg({ ...context, signal: AbortSignal.any([context.signal, late]) }, args, line => {
    if (line.startsWith('[')) errors += 1
    is_cut_off ||= /^\[[^\]]+\] (?:.*: partial file$|File ended prematurely)/.test(line)
  }).catch(() => context.signal.throwIfAborted())
  if (is_cut_off) return 'The file ends before its data does.'
  return errors > most_errors ? `Parts of the file cannot be decoded (${errors} errors in the samples).` : undefined
}
