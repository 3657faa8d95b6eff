/** The requests to a bucket: one function for each, without decisions. https://docs.aws.amazon.com/AmazonS3/latest/API/ */
import { createHash } from 'node:crypto'
import type { BucketClient, BucketRequest } from './client.ts'
import { BucketError } from './faults.ts'
import { encoded, partsOf, textsOf } from './xml.ts'

export type Found = { size: number; etag: string; modified_at: Date; mark: string | null }
/** `next`: there are more keys. */
export type KeyPage = { keys: string[]; next: string | undefined }
export type Upload = { key: string; upload_id: string }
/** `etags`: of the parts, in their order. */
export type Uploaded = Upload & { etags: string[] }

/** Kept with an object that was uploaded in parts: names the upload that made it. */
const mark_header = 'x-amz-meta-backlot-upload'
const most_keys = 1000

export type BucketRequests = ReturnType<typeof requestsTo>

export function requestsTo(client: BucketClient) {
  const { send, settings } = client
  const textOf = (request: BucketRequest) => send(request, answer => answer.text())
  const headersOf = (request: BucketRequest) =>
    send(request, async ({ body, headers }) => {
      await body?.cancel()
      return headers
    })
  const ended = async (request: BucketRequest) => void (await headersOf(request))
  // No keys begin with this, so the answer is short.
  const check = () => ended({ method: 'GET', query: listQuery(`${settings.prefix}.check/`, 1), attempts: 2 })

  return {
    /** `undefined`: there is no such object. Throws when the bucket is missing: its files are not lost. */
    async find(key: string): Promise<Found | undefined> {
      const headers = await headersOf({ method: 'HEAD', key }).catch(ignoreMissing)
      if (!headers) return check().then(() => undefined)
      return {
        size: Number(headers.get('content-length')),
        etag: headers.get('etag') ?? '',
        modified_at: new Date(headers.get('last-modified') ?? 0),
        mark: headers.get(mark_header),
      }
    },

    /** `undefined`: there is no such object. */
    readAll: (key: string): Promise<Uint8Array<ArrayBuffer> | undefined> =>
      send({ method: 'GET', key }, async answer => new Uint8Array(await answer.arrayBuffer())).catch(ignoreMissing),

    /** The bytes from `first` to `last` of the object with this ETag. */
    readRange: (key: string, first: number, last: number, etag: string, signal: AbortSignal): Promise<Response> =>
      send(
        { method: 'GET', key, headers: { range: `bytes=${first}-${last}`, 'if-match': etag }, signal },
        async answer => {
          if (answer.status === 206) return answer
          await answer.body?.cancel()
          throw new BucketError('unusable', '', 'The object storage sent a whole object instead of a range.', { key })
        },
      ),

    write: (key: string, bytes: Uint8Array<ArrayBuffer>) => ended({ method: 'PUT', key, body: () => bytes }),

    /** An object that is missing already is no error. */
    remove: (key: string) => ended({ method: 'DELETE', key }).catch(ignoreMissing),

    /** At most 1,000 keys that begin with this. `page`: the `next` of the page before. */
    async list(prefix: string, page?: string): Promise<KeyPage> {
      const xml = await textOf({ method: 'GET', query: listQuery(prefix, most_keys, page) })
      const keys = partsOf(xml, 'Contents').flatMap(content => textsOf(content, 'Key').slice(0, 1))
      return { keys, next: textsOf(xml, 'NextContinuationToken')[0] }
    },

    /** Throws when the bucket cannot be listed. */
    check,

    /** At most 1,000 keys. */
    async removeAll(keys: string[]): Promise<void> {
      const objects = keys.map(key => `<Object><Key>${encoded(key)}</Key></Object>`).join('')
      const body = `<Delete><Quiet>true</Quiet>${objects}</Delete>`
      const headers = { 'content-md5': createHash('md5').update(body).digest('base64') }
      const xml = await textOf({ method: 'POST', query: { delete: '' }, headers, body: () => body })
      const [code] = textsOf(xml, 'Code')
      if (code) throw new BucketError('refused', code, `The object storage did not delete files: ${code}.`)
    },

    async startUpload(key: string, mark: string, signal?: AbortSignal): Promise<Upload> {
      const headers = { [mark_header]: mark }
      const request = {
        ...long,
        method: 'POST',
        key,
        query: { uploads: '' },
        headers,
        ...(signal && { signal }),
      } as const
      const [upload_id] = textsOf(await textOf(request), 'UploadId')
      if (!upload_id) throw new BucketError('unusable', '', 'The object storage did not return the id of an upload.')
      return { key, upload_id }
    },

    /** Returns the ETag of the part. `length` is in bytes. */
    async sendPart(part: Part, length: number, body: BucketRequest['body']): Promise<string> {
      const headers = await headersOf({
        ...partOf(part),
        headers: { 'content-length': String(length) },
        ...(body && { body }),
      })
      return headers.get('etag') ?? ''
    },

    /** The same with bytes of an object in this bucket. An empty `range`: all of them. */
    async copyPart(part: Part, from: { key: string; etag: string }, range: string): Promise<string> {
      const xml = await textOf({
        ...partOf(part),
        headers: {
          'x-amz-copy-source': `/${settings.bucket}/${from.key.split('/').map(encodeURIComponent).join('/')}`,
          'x-amz-copy-source-if-match': from.etag,
          ...(range && { 'x-amz-copy-source-range': range }),
        },
      })
      return successIn(xml, 'ETag')
    },

    /** The object appears at its key as a whole, or not at all. */
    async complete({ key, upload_id, etags }: Uploaded): Promise<void> {
      const parts = etags.map(
        (etag, n) => `<Part><PartNumber>${n + 1}</PartNumber><ETag>${encoded(etag)}</ETag></Part>`,
      )
      const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
      // The storage joins the parts now, and the row of the video is locked meanwhile.
      const limits = { attempts: 2, silence_ms: long.silence_ms }
      successIn(
        await textOf({ ...limits, method: 'POST', key, query: { uploadId: upload_id }, body: () => body }),
        'ETag',
      )
    },

    /** A worker that stops waits for this. Housekeeping aborts what this could not. */
    abort: ({ key, upload_id }: Upload) =>
      ended({ method: 'DELETE', key, query: { uploadId: upload_id }, attempts: 2, silence_ms: 3000 }).catch(
        ignoreMissing,
      ),

    /** At most 1,000 uploads that are neither completed nor aborted, with keys that begin with this. */
    async listUploads(prefix: string): Promise<(Upload & { started_at: Date })[]> {
      const xml = await textOf({ method: 'GET', query: { uploads: '', prefix } })
      return partsOf(xml, 'Upload').map(upload => {
        const [[key = ''], [upload_id = ''], [started = '']] = ['Key', 'UploadId', 'Initiated'].map(name =>
          textsOf(upload, name),
        ) as [string[], string[], string[]]
        return { key, upload_id, started_at: new Date(started) }
      })
    },
  }
}

/** For requests that take long, or for which only a worker waits. */
const long = { attempts: 5, silence_ms: 60_000 }

/** `number` starts at 1. */
export type Part = { upload: Upload; number: number; signal: AbortSignal }

const partOf = ({ upload: { key, upload_id }, number, signal }: Part) =>
  ({ ...long, method: 'PUT', key, query: { partNumber: String(number), uploadId: upload_id }, signal }) as const

const listQuery = (prefix: string, most: number, page?: string) => ({
  'list-type': '2',
  prefix,
  'max-keys': String(most),
  ...(page !== undefined && { 'continuation-token': page }),
})

/** Long requests are answered with 200 at once, and can end with an error in the body. */
function successIn(xml: string, name: string): string {
  const [text] = textsOf(xml, name)
  if (text !== undefined) return text
  const [code = ''] = textsOf(xml, 'Code')
  throw new BucketError('away', code, `The object storage could not complete a request: ${code}.`)
}

const ignoreMissing = (fault: unknown): undefined => {
  if (!(fault instanceof BucketError) || fault.fault !== 'missing') throw fault
  return undefined
}
