/** Recognises a watch history or an archive by its beginning, and reads it as a stream. */
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { DomainError } from '../../errors.ts'
import { inNewFolder } from '../../runtime/folders.ts'
import { jsonIn } from '../../runtime/json.ts'
import { upTo } from '../../runtime/up-to.ts'
import { file_too_large, type ImportContent, max_file_bytes, type Sink, sumOf } from '../../schema/imports/import.ts'
import { isArchive, readArchive } from './archive-document.ts'
import { historyEntryOf, isTakeoutHtml, takeoutBoxesIn } from './history-items.ts'
import { jsonItemsIn } from './json-items.ts'
import { type Marks, marksOf } from './marks.ts'
import { isDatabase, readNewPipe, type Subscription } from './newpipe-db.ts'
import { listRefusal, partsInto } from './parts.ts'

export type HistoryKind = 'archive' | 'json' | 'lines' | 'html' | 'database'

/** `head`: at least the first two megabytes: the page of Google Takeout begins with long styles. */
export function historyKindOf(head: Uint8Array): HistoryKind | undefined {
  if (isDatabase(head)) return 'database'
  const text = Buffer.from(head.subarray(0, 64 * 1024))
    .toString('utf8')
    .replace(/^[\s\ufeff]+/, '')
  if (isArchive(text)) return 'archive'
  if (isLog(text)) return 'lines'
  if (/^[[{]/.test(text)) return 'json'
  return text.startsWith('<') && isTakeoutHtml(Buffer.from(head).toString('latin1')) ? 'html' : undefined
}

/** Whether each line is an object. A regular expression would take seconds for hostile text. */
function isLog(text: string): boolean {
  const end = text.indexOf('\n')
  const [line, rest] = end < 0 ? [text.trimEnd(), ''] : [text.slice(0, end).trimEnd(), text.slice(end).trimStart()]
  if (!line.startsWith('{') || !line.endsWith('}')) return false
  return rest === '' ? line.includes('"timeWatched"') : rest.startsWith('{')
}

/** `only`: the file is a history or an archive. `also`: there may be a list of channels in it, too. `no`: it is neither. */
export type HistoryRead = 'only' | 'also' | 'no'

/** `content`: what was left out, and how many items were sent. */
export type HistoryFound = { kind: 'history' | 'archive'; content: Partial<ImportContent> }

export function histories(sink: Sink, options: { downloads: boolean; is_archive: boolean; folder: string }) {
  const marks = marksOf()
  const subscriptions: Subscription[] = []
  let archive: Partial<ImportContent> | undefined
  return {
    /** The lists of channels in databases. */
    subscriptions,
    async read(kind: HistoryKind, chunks: AsyncIterable<Uint8Array>): Promise<HistoryRead> {
      // What has to be an archive may begin with any of its fields.
      if (kind === 'archive' || (options.is_archive && kind === 'json')) {
        archive = sumOf(archive, await readArchive(chunks, sink, options))
        return 'only'
      }
      if (kind === 'json') return readJson(chunks, marks)
      if (kind === 'lines') return readLines(chunks, marks)
      if (kind === 'html') {
        for await (const entry of takeoutBoxesIn(chunks)) marks.add(entry)
        return 'only'
      }
      const lines = await inTemporaryFile(options.folder, chunks, path => readNewPipe(path, marks))
      subscriptions.push(...(lines ?? []))
      return lines ? 'only' : 'no'
    },
    /** Sends the marks. `undefined`: no file was a history or an archive. */
    async end(now: Date): Promise<HistoryFound | undefined> {
      if (!marks.found()) return archive && { kind: 'archive', content: archive }
      const parts = partsInto(sink)
      for (const viewing of marks.viewings(now)) await parts.add('viewings', viewing, viewing.video_id)
      const content = { ...marks.counts(), items: await parts.end() }
      return { kind: archive ? 'archive' : 'history', content: sumOf(archive, content) }
    },
  }
}

async function readJson(chunks: AsyncIterable<Uint8Array>, marks: Marks): Promise<HistoryRead> {
  let found: HistoryRead = 'no'
  try {
    for await (const { list, is_item, text } of jsonItemsIn(chunks)) {
      const entry = is_item && text !== undefined ? historyEntryOf(jsonIn(text), list) : undefined
      if (entry === undefined) continue
      marks.add(entry)
      found = list === '' ? 'only' : 'also'
    }
  } catch (fault) {
    // Another kind of document has its own reader, with sentences of its own.
    if (found !== 'no' || !(fault instanceof DomainError)) throw fault
  }
  return found
}

/** FreeTube's file is a log: of several lines with one `_id` the last one counts, and a line can delete what came before. */
async function readLines(chunks: AsyncIterable<Uint8Array>, marks: Marks): Promise<HistoryRead> {
  const videos = new Map<unknown, string>()
  let found: HistoryRead = 'no'
  for await (const line of linesIn(chunks)) {
    const document = jsonIn(line) as Record<string, unknown> | undefined
    if (document?.$$deleted === true) marks.forget(videos.get(document._id) ?? '')
    const entry = historyEntryOf(document, '')
    if (entry === undefined) continue
    if (typeof entry === 'object' && videos.size < max_ids) videos.set(document?._id, entry.video_id)
    marks.add(entry)
    found = 'only'
  }
  return found
}

const max_ids = 1_000_000
const max_line = 2 * 1024 * 1024

async function* linesIn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of chunks) {
    const lines = (text + decoder.decode(chunk, { stream: true })).split('\n')
    text = lines.pop() ?? ''
    if (text.length > max_line) text = ''
    yield* lines
  }
  yield text
}

const inTemporaryFile = <T>(parent: string, chunks: AsyncIterable<Uint8Array>, read: (path: string) => Promise<T>) =>
  inNewFolder(
    'database',
    async folder => {
      const path = join(folder, 'database')
      // A packed database may be far larger than the upload.
      const tooLarge = () => listRefusal(file_too_large, 'too_large')
      await pipeline(upTo(max_file_bytes, chunks, tooLarge), createWriteStream(path, { mode: 0o600 }))
      return read(path)
    },
    parent,
  )
