/**
 * Takes an uploaded file, as the body itself or in a form. A small file stays in memory; a larger one is stored in a folder for temporary
 * files while it is read, so that uploads of any size take little memory.
 */
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import { Busboy } from '@fastify/busboy'
import type { Context } from 'hono'
import { DomainError } from '../../errors.ts'
import type { FileSource } from '../../feed/lists/members.ts'
import { inTemporaryFolder } from '../../runtime/folders.ts'
import { max_list_bytes } from '../../schema/imports/import.ts'

/** `file`: undefined: none was sent, or an empty one, as browsers do when none was chosen. */
export type Upload = { file: FileSource | undefined; fields: Record<string, string> }

/** Up to this size a file stays in memory. */
export const in_memory_bytes = 64 * 1024

/** Calls `work` with what was sent, and deletes the stored file afterwards. The size of the body is limited elsewhere. */
export const withUpload = <T>(c: Context, work: (upload: Upload) => Promise<T>): Promise<T> =>
  inTemporaryFolder(async makeFolder => work(await uploadIn(c, makeFolder)))

type MakeFolder = () => Promise<string>

async function uploadIn(c: Context, makeFolder: MakeFolder): Promise<Upload> {
  const { body } = c.req.raw
  const type = c.req.header('content-type') ?? ''
  if (!body) return { file: undefined, fields: {} }
  if (/^application\/x-www-form-urlencoded\b/i.test(type))
    return { file: undefined, fields: Object.fromEntries(new URLSearchParams(await c.req.text())) }
  const stream = Readable.fromWeb(body as unknown as NodeStream<Uint8Array>)
  if (!/^multipart\/form-data\s*;/i.test(type)) return { file: await stored(stream, makeFolder), fields: {} }
  return formIn(stream, type, makeFolder)
}

async function formIn(stream: Readable, type: string, makeFolder: MakeFolder): Promise<Upload> {
  const fields: Record<string, string> = {}
  let content: Readable | undefined
  let file: Promise<FileSource | undefined> | undefined
  const parser = parserOf(type)
  parser.on('field', (name, value, _, is_cut) => {
    if (is_cut) parser.destroy(new DomainError('too_large', 'This list is larger than 2 MB. Send it as a file.'))
    fields[name] = value
  })
  parser.on('file', (_, arriving) => {
    content = arriving
    file = stored(arriving, makeFolder)
    // Nothing takes the rest of a file that cannot be stored, and the parser would wait forever.
    file.catch((fault: Error) => parser.destroy(fault))
  })
  try {
    await pipeline(stream, parser)
    return { file: await file, fields }
  } catch (fault) {
    // The parser does not end a file that breaks off. Its storing would wait forever, and keep the deleted file open.
    content?.destroy(fault as Error)
    await file?.catch(() => {})
    throw isOfForm(fault) ? incomplete(fault) : fault
  }
}

function parserOf(type: string) {
  const limits = { files: 1, fields: 20, fieldSize: max_list_bytes * 1.5, parts: 30, headerPairs: 20 }
  try {
    return new Busboy({ headers: { 'content-type': type }, limits })
  } catch (cause) {
    throw incomplete(cause)
  }
}

const incomplete = (cause: unknown) =>
  new DomainError('invalid', 'This form is not complete. Send it again.', { cause })

/** Whether the fault is one of the parser, and not of the connection or a limit. */
const isOfForm = (fault: unknown): boolean =>
  fault instanceof Error && /multipart|unexpected end|malformed|boundary/i.test(fault.message)

/** Undefined for an empty file. */
async function stored(content: Readable, makeFolder: MakeFolder): Promise<FileSource | undefined> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  const reader = content[Symbol.asyncIterator]()
  while (bytes <= in_memory_bytes) {
    const { done, value } = await reader.next()
    if (done) return bytes === 0 ? undefined : new Uint8Array(Buffer.concat(pieces))
    pieces.push(value)
    bytes += value.length
  }
  const path = join(await makeFolder(), 'upload')
  const all = async function* () {
    yield* pieces.splice(0)
    for (let next = await reader.next(); !next.done; next = await reader.next()) yield next.value
  }
  await pipeline(Readable.from(all()), createWriteStream(path, { mode: 0o600 }))
  return { path }
}
