/** The requests to a bucket: one function for each, without decisions. https://docs.aws.amazon.com/AmazonS3/latest/API/ */
import { createHash } from 'node:crypto'
import { type BucketClient, type BucketRequest, encoded, partsOf, textsOf } from './client.ts'
import { BucketError } from './faults.ts'

/** An object of the bucket. */
export type StoredObject = { size: number; etag: string; modified_at: Date; mark: string | null }
export type ObjectVersion = { key: string; etag: string }
/** `next`: there are more keys. */
export type KeyPage = { keys: string[]; next: string | undefined }
export type Upload = { key: string; upload_id: string }
/** `etags`: of the parts, in their order. */
export type Uploaded = Upload & { etags: string[] }
/** `number` starts at 1. */
export type Part = { upload: Upload; number: number; signal: AbortSignal }

/** Throws when the bucket cannot be listed. No keys begin with the prefix, so the answer is short. */
export const check = (client: BucketClient): Promise<void> =>
  end(client, { method: 'GET', query: listQuery(`${client.settings.prefix}.check/`, 1), attempts: 2 })

/** `undefined`: there is no such object. Throws when the bucket is missing: its files are not lost. */
export async function find(client: BucketClient, key: string): Promise<StoredObject | undefined> {
  const headers = await headersOf(client, { method: 'HEAD', key }).catch(ignoreMissing)
  if (!headers) return check(client).then(() => undefined)
  return {
    size: Number(headers.get('content-length')),
    etag: headers.get('etag') ?? '',
    modified_at: new Date(headers.get('last-modified') ?? 0),
    mark: headers.get(mark_header),
  }
}

/** Kept with an object that was uploaded in parts: names the upload that made it. */
const mark_header = 'x-amz-meta-backlot-upload'

/** `undefined`: there is no such object. */
export const readAll = ({ send }: BucketClient, key: string): Promise<Uint8Array<ArrayBuffer> | undefined> =>
  send({ method: 'GET', key }, async answer => new Uint8Array(await answer.arrayBuffer())).catch(ignoreMissing)

/** The bytes from `first` to `last` of this version of the object. */
export const readRange = (
  { send }: BucketClient,
  { key, etag }: ObjectVersion,
  first: number,
  last: number,
  signal: AbortSignal,
): Promise<Response> =>
  send({ method: 'GET', key, headers: { range: `bytes=${first}-${last}`, 'if-match': etag }, signal }, async answer => {
    if (answer.status === 206) return answer
    await answer.body?.cancel()
    throw new BucketError('unusable', '', 'The object storage sent a whole object instead of a range.', { key })
  })

export const write = (client: BucketClient, key: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> =>
  end(client, { method: 'PUT', key, body: () => bytes })

/** An object that is missing already is not an error. */
export const remove = (client: BucketClient, key: string): Promise<void> =>
  end(client, { method: 'DELETE', key }).catch(ignoreMissing)

const max_keys = 1000

/** At most 1,000 keys that begin with this. `page`: the `next` of the page before. */
export async function list(client: BucketClient, prefix: string, page?: string): Promise<KeyPage> {
  const xml = await textOf(client, { method: 'GET', query: listQuery(prefix, max_keys, page) })
  const keys = partsOf(xml, 'Contents').flatMap(content => textsOf(content, 'Key').slice(0, 1))
  return { keys, next: textsOf(xml, 'NextContinuationToken')[0] }
}

const listQuery = (prefix: string, most: number, page?: string) => ({
  'list-type': '2',
  prefix,
  'max-keys': String(most),
  ...(page !== undefined && { 'continuation-token': page }),
})

/** At most 1,000 keys. */
export async function removeAll(client: BucketClient, keys: string[]): Promise<void> {
  const objects = keys.map(key => `<Object><Key>${encoded(key)}</Key></Object>`).join('')
  const body = `<Delete><Quiet>true</Quiet>${objects}</Delete>`
  const headers = { 'content-md5': createHash('md5').update(body).digest('base64') }
  const xml = await textOf(client, { method: 'POST', query: { delete: '' }, headers, body: () => body })
  const [code] = textsOf(xml, 'Code')
  if (code) throw new BucketError('refused', code, `The object storage did not delete files: ${code}.`)
}

/** The limits of requests that take long, or for which only a worker waits. */
const long = { attempts: 5, silence_ms: 60_000 }

export async function startUpload(
  client: BucketClient,
  key: string,
  mark: string,
  signal?: AbortSignal,
): Promise<Upload> {
  const xml = await textOf(client, {
    ...long,
    method: 'POST',
    key,
    query: { uploads: '' },
    headers: { [mark_header]: mark },
    ...(signal && { signal }),
  })
  const [upload_id] = textsOf(xml, 'UploadId')
  if (!upload_id) throw new BucketError('unusable', '', 'The object storage did not return the id of an upload.')
  return { key, upload_id }
}

/** Returns the ETag of the part. `length` is in bytes. */
export async function sendPart(
  client: BucketClient,
  part: Part,
  length: number,
  body: BucketRequest['body'],
): Promise<string> {
  const headers = await headersOf(client, {
    ...partRequest(part),
    headers: { 'content-length': String(length) },
    ...(body && { body }),
  })
  return headers.get('etag') ?? ''
}

/** Fills a part with bytes of an object in this bucket, and returns its ETag. An empty `range`: all of them. */
export async function copyPart(client: BucketClient, part: Part, from: ObjectVersion, range: string): Promise<string> {
  return successOf(client, 'ETag', {
    ...partRequest(part),
    headers: {
      'x-amz-copy-source': `/${client.settings.bucket}/${from.key.split('/').map(encodeURIComponent).join('/')}`,
      'x-amz-copy-source-if-match': from.etag,
      ...(range && { 'x-amz-copy-source-range': range }),
    },
  })
}

const partRequest = ({ upload: { key, upload_id }, number, signal }: Part) =>
  ({ ...long, method: 'PUT', key, query: { partNumber: String(number), uploadId: upload_id }, signal }) as const

/** The object appears at its key as a whole, or not at all. */
export async function complete(client: BucketClient, { key, upload_id, etags }: Uploaded): Promise<void> {
  const parts = etags.map((etag, n) => `<Part><PartNumber>${n + 1}</PartNumber><ETag>${encoded(etag)}</ETag></Part>`)
  const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
  // The storage joins the parts now, and the row of the video is locked meanwhile.
  const limits = { attempts: 2, silence_ms: long.silence_ms }
  const request = { ...limits, method: 'POST', key, query: { uploadId: upload_id }, body: () => body } as const
  await successOf(client, 'ETag', request)
}

/** A worker that stops waits for this. Housekeeping aborts an upload that could not be aborted here. */
export const abort = (client: BucketClient, { key, upload_id }: Upload): Promise<void> =>
  end(client, { method: 'DELETE', key, query: { uploadId: upload_id }, attempts: 2, silence_ms: 3000 }).catch(
    ignoreMissing,
  )

/**
 * At most 1,000 uploads that are neither completed nor aborted, with keys that begin with this; none from a server that cannot list them.
 */
export async function listUploads(client: BucketClient, prefix: string): Promise<(Upload & { started_at: Date })[]> {
  const xml = await textOf(client, { method: 'GET', query: { uploads: '', prefix } }).catch((fault: unknown) => {
    if (fault instanceof BucketError && fault.fault === 'unknown_request') return ''
    throw fault
  })
  return partsOf(xml, 'Upload').map(upload => {
    const textAt = (name: string) => textsOf(upload, name)[0] ?? ''
    return { key: textAt('Key'), upload_id: textAt('UploadId'), started_at: new Date(textAt('Initiated')) }
  })
}

const end = async (client: BucketClient, request: BucketRequest): Promise<void> => {
  await headersOf(client, request)
}

const headersOf = ({ send }: BucketClient, request: BucketRequest): Promise<Headers> =>
  send(request, async ({ body, headers }) => {
    await body?.cancel()
    return headers
  })

const textOf = ({ send }: BucketClient, request: BucketRequest): Promise<string> =>
  send(request, answer => answer.text())

/**
 * The text of this element of the answer. Long requests are answered with 200 at once, and can end with an error in the body, which
 * counts as an answer that another attempt may change.
 */
const successOf = ({ send }: BucketClient, name: string, request: BucketRequest): Promise<string> =>
  send(request, async answer => {
    const xml = await answer.text()
    const [text] = textsOf(xml, name)
    if (text !== undefined) return text
    const [code = ''] = textsOf(xml, 'Code')
    throw new BucketError('away', code, `The object storage could not complete a request: ${code}.`)
  })

const ignoreMissing = (fault: unknown): undefined => {
  if (!(fault instanceof BucketError) || fault.fault !== 'missing') throw fault
  return undefined
}
