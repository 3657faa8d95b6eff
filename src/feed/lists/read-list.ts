/** Reads long and packed lists in a worker thread, so that no other request waits for them. */
import { DomainError, type ErrorCode } from '../../errors.ts'
import { inTemporaryFolder } from '../../runtime/folders.ts'
import { turnsFor } from '../../runtime/turns.ts'
import type { ImportPart, ListRead, Sink } from '../../schema/imports/import.ts'
import { listRefusal } from '../history/parts.ts'
import { historyKindOf } from '../history/read-history.ts'
import { inThread, type Settle } from '../thread.ts'
import { type FileSource, kindOfFile } from './members.ts'
import { type ArchiveOptions, parseFile } from './parse-file.ts'
import { parseList } from './parse-list.ts'

/** A pasted text, the bytes of a file, or where a file is stored. */
export type ListSource = string | FileSource

type ReadRequest = { given: ListSource } & ArchiveOptions
export type ThreadData = ReadRequest & { folder: string }

/** What the thread sends: parts, one after another, each when the part before is stored; at the end a list or a refusal. */
export type ListMessage =
  | { part: ImportPart }
  | { list: ListRead }
  | { refusal: { code: ErrorCode; message: string; fields: Record<string, string> } }

/** Reads the file and gives its parts to `sink`. */
type ListReader = (sink: Sink) => Promise<ListRead>

/** Up to this size even the slowest list takes only a few milliseconds. */
const max_inline_bytes = 64 * 1024

/** Only two at once: a list can take a hundred megabytes for a moment. */
const inTurn = turnsFor({
  most: 2,
  of_one: 1,
  waiting: { most: 20, of_one: 5, sentence: 'Many lists are being read right now. Try again in a moment.' },
})

/**
 * Calls `work` when it is the turn of this person, so that what it opens does not wait with it. `read` throws like `parseFile`; also
 * `too_large` for a file that takes too long. `too_many` is thrown when too many lists wait already. `whose`: the person whose turn it
 * takes.
 */
export async function readInTurn<T>(
  given: ListSource,
  { whose, ...options }: ArchiveOptions & { whose: string },
  work: (read: ListReader) => Promise<T>,
): Promise<T> {
  if (typeof given === 'string' && given.length <= max_inline_bytes) return work(async () => parseList(given))
  if (given instanceof Uint8Array && given.length <= max_inline_bytes && isQuick(given))
    return work(sink => parseFile(given, { ...options, sink }))
  return inTurn(whose, () => work(sink => readInThread({ ...options, given }, sink)))
}

/** Databases are slow, and so are the dates of the first page of Google Takeout: the names of months are found in 50 languages. */
const isQuick = (bytes: Uint8Array): boolean => {
  const kind = historyKindOf(bytes)
  return kind !== 'database' && kind !== 'html' && kindOfFile(bytes) === 'text'
}

/** The folder is deleted here, because a thread that exceeds its limits is ended and deletes nothing. */
const readInThread = (request: ReadRequest, sink: Sink): Promise<ListRead> =>
  inTemporaryFolder(async makeFolder =>
    inThread({
      file: new URL('./read-list-thread.ts', import.meta.url),
      data: { ...request, folder: await makeFolder() } satisfies ThreadData,
      limits: request.given instanceof Uint8Array || typeof request.given === 'string' ? list_limits : file_limits,
      onMessage: settleWith(sink),
      failure: tooSlow,
    }),
  )

const list_limits = { memory_mb: 256, timeout_ms: 10_000 }
/** Half a gigabyte takes about half a minute. The time includes that for storing its parts. */
const file_limits = { memory_mb: 384, processor_ms: 120_000, timeout_ms: 300_000 }

const settleWith =
  (sink: Sink) =>
  ({ resolve, reject, reply }: Settle<ListRead>) =>
  (message: ListMessage) => {
    if ('part' in message) return void sink(message.part).then(() => reply('stored'), reject)
    if ('list' in message) return resolve(message.list)
    const { code, message: sentence, fields } = message.refusal
    reject(new DomainError(code, sentence, { fields }))
  }

const tooSlow = (cause?: unknown) =>
  listRefusal('This list takes too long to read. Split it and import one part at a time.', 'too_large', cause)
