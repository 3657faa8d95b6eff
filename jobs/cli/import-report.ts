/** Prints an import of files: a line for each file of the plan, totals, progress and the end, as text or as one JSON object a line. */
import type { Verdict } from '../../src/domain/imports/judge.ts'
import type { Plan, PlannedFile } from '../../src/domain/imports/plan.ts'
import { shownPath, shownText } from '../../src/domain/imports/raw-path.ts'
import type { ImportDone } from '../../src/domain/imports/run-import.ts'
import { bytesWords, countWords } from '../../src/schema/values/words.ts'

/** `progress`: one line that replaces the one before it; absent where the output is no terminal. */
export type Output = { print(line: string): void; progress?: ((line: string) => void) | undefined; as_json: boolean }

type Totals = Record<Verdict, { files: number; bytes: number }>

const titles: Record<Verdict, string> = {
  recognised: 'recognised',
  doubtful: 'doubtful',
  duplicate: 'duplicate',
  imported: 'imported before',
}

/** `folder`: paths are shown without it. */
export async function printPlan({ print, as_json }: Output, plan: Plan, folder: string): Promise<void> {
  const none = () => ({ files: 0, bytes: 0 })
  const totals: Totals = { recognised: none(), doubtful: none(), duplicate: none(), imported: none() }
  for await (const file of plan.files()) {
    totals[file.verdict].files += 1
    totals[file.verdict].bytes += file.size
    print(as_json ? JSON.stringify(asJson(file, folder)) : lineOf(file, folder))
  }
  for (const { path, sentence } of plan.unreadable)
    print(as_json ? JSON.stringify({ path: shownPath(path), error: sentence }) : `${shownPath(path)}: ${sentence}`)
  if (as_json) print(JSON.stringify({ totals, left_out: plan.left_out }))
  else for (const line of totalLines(totals, plan.left_out)) print(line)
}

function lineOf(file: PlannedFile, folder: string): string {
  const video = file.video === null ? '' : ` → ${file.video.video_url}`
  const note = notes[file.verdict === 'recognised' ? (file.media?.conversion ?? 'keep') : 'keep']
  return shownText(`${titles[file.verdict].padEnd(15)} ${shown(file, folder)}${video}: ${file.reason}${note}`)
}

const notes = {
  keep: '',
  remux: ' It will be copied into an MP4.',
  transcode: ' It will be converted, because browsers do not play it.',
}

/** Its path in the folder. */
export const shown = ({ path }: PlannedFile, folder: string): string =>
  shownPath(path.slice(folder.length).replace(/^\//, ''))

const asJson = (file: PlannedFile, folder: string) => ({
  path: shown(file, folder),
  verdict: file.verdict,
  reason: file.reason,
  video_id: file.video?.video_id ?? null,
  video_url: file.video?.video_url ?? null,
  bytes: file.size,
  conversion: file.media?.conversion ?? null,
})

function totalLines(totals: Totals, left_out: number): string[] {
  const all = Object.values(totals)
  const files = all.reduce((sum, { files }) => sum + files, 0)
  const bytes = all.reduce((sum, { bytes }) => sum + bytes, 0)
  const rows = Object.entries(totals).map(
    ([verdict, { files, bytes }]) =>
      `  ${titles[verdict as Verdict].padEnd(15)} ${countWords(files, 'file')}, ${bytesWords(bytes)}`,
  )
  const others =
    left_out === 0
      ? []
      : [`${countWords(left_out, 'file')} of other kinds ${left_out === 1 ? 'is' : 'are'} not listed.`]
  return ['', `${countWords(files, 'file')}, ${bytesWords(bytes)}:`, ...rows, ...others]
}

export function printRemark({ print, as_json }: Output, path: string, sentence: string): void {
  print(as_json ? JSON.stringify({ path, remark: sentence }) : shownText(`${path}: ${sentence}`))
}

export function printEnd({ print, as_json }: Output, done: ImportDone, seconds: number): void {
  if (as_json) {
    print(JSON.stringify({ done: { ...done, seconds: Math.round(seconds * 10) / 10 } }))
    return
  }
  print(`Imported ${countWords(done.imported, 'file')}, ${bytesWords(done.bytes)}, in ${seconds.toFixed(1)} seconds.`)
  if (done.removed > 0)
    print(
      `Removed ${countWords(done.removed, 'file')} here. The files next to ${done.removed === 1 ? 'it' : 'them'} stay.`,
    )
  if (done.stayed > 0)
    print(
      `Kept ${countWords(done.stayed, 'file')} here, because the conversion lost quality, a second sound or subtitles.`,
    )
  if (done.copied > 0) print(`Copied ${countWords(done.copied, 'file')} that could not be linked on this disk.`)
  if (done.skipped > 0) print(`${countWords(done.skipped, 'file')} could not be imported; the reasons are above.`)
  if (done.stopped !== null) print(`The import stopped before its end. ${done.stopped} The same command continues it.`)
}

/** Files for each line of progress where the output is no terminal. */
const plain_every = { read: 1000, imported: 100 }

export const readingProgress = (output: Output) => (count: number) =>
  show(output, count, plain_every.read, `Read ${count.toLocaleString('en')} files.`)

export const progressOf = (output: Output, total: number) => (count: number) =>
  show(
    output,
    count,
    plain_every.imported,
    `Imported ${count.toLocaleString('en')} of ${total.toLocaleString('en')} files.`,
  )

function show({ print, progress, as_json }: Output, count: number, every: number, line: string): void {
  if (as_json) return
  if (progress) progress(line)
  else if (count % every === 0) print(line)
}
