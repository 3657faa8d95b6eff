/**
 * In this process: s3rver, which keeps a bucket in a folder and checks signatures (version 4) and the life of signed addresses. It
 * lacks two requests about uploads, and an error for unknown uploads; they are added here as Amazon documents them.
 */
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'

export type Step = S3rver['middleware'][number]

export type Bucket = {
  /** The variables of a service that stores its files in this bucket. */
  variables: Record<'DOWNLOADS_DIR' | 'AWS_ACCESS_KEY_ID' | 'AWS_SECRET_ACCESS_KEY' | 'AWS_ENDPOINT_URL_S3', string>
  /** Has all objects with their headers, and unfinished uploads. */
  folder: string
  /** The keys of all objects, below the prefix. */
  keys(): Promise<string[]>
  /** The ids of uploads that are neither completed nor aborted. */
  uploads(): Promise<string[]>
  /** Requests so far, as `GET /bucket/key`, without queries. */
  requests: string[]
  /** Called before each request is answered. A test makes it fail or wait. */
  before: Step | undefined
  /** Ends all connections, as a restart does. The server goes on. */
  breakConnections(): void
  stop(): Promise<void>
}

const [bucket, prefix] = ['films', 'tests/one']

export async function startBucket(port = 0, address = '127.0.0.1'): Promise<Bucket> {
  const directory = await mkdtemp(join(tmpdir(), 'backlot-bucket-'))
  const uploads_dir = join(directory, bucket, '._S3rver_uploads')
  const server = new S3rver({
    address,
    port,
    directory,
    silent: true,
    configureBuckets: [{ name: bucket }],
  })
  const requests: string[] = []
  const note: Step = async (c, next) => {
    requests.push(`${c.method} ${c.path}`)
    await (started.before ? started.before(c, next) : next())
  }
  server.middleware.unshift(note, aboutUploads(uploads_dir))
  const { port: used } = await server.run()
  const started: Bucket = {
    variables: {
      DOWNLOADS_DIR: `s3://${bucket}/${prefix}`,
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
      AWS_ENDPOINT_URL_S3: `http://${address}:${used}`,
    },
    folder: directory,
    async keys() {
      const names = await readdir(join(directory, bucket, prefix), { recursive: true }).catch(() => [])
      return names
        .filter(name => name.endsWith('._S3rver_object'))
        .map(name => name.slice(0, -'._S3rver_object'.length))
        .toSorted()
    },
    uploads: () => readdir(uploads_dir).catch(() => []),
    requests,
    before: undefined,
    breakConnections: () => server.httpServer.closeAllConnections(),
    async stop() {
      server.httpServer.closeAllConnections()
      await new Promise(resolve => server.httpServer.close(resolve))
      await rm(directory, { recursive: true, force: true })
    },
  }
  return started
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListMultipartUploads.html and API_AbortMultipartUpload.html */
const aboutUploads =
  (uploads_dir: string): Step =>
  async (c, next) => {
    const { uploadId, uploads, prefix: begin = '' } = c.query
    if (uploadId !== undefined) {
      const folder = join(uploads_dir, uploadId)
      if (!(await stat(folder).catch(() => undefined)))
        return answer(c, 404, '<Error><Code>NoSuchUpload</Code></Error>')
      if (c.method !== 'DELETE') return next()
      await rm(folder, { recursive: true })
      return answer(c, 204, '')
    }
    if (uploads === undefined || c.method !== 'GET') return next()
    const ids = await readdir(uploads_dir).catch(() => [])
    const found = await Promise.all(
      ids.map(async id => {
        const key = await readFile(join(uploads_dir, id, 'key'), 'utf8')
        const { birthtime } = await stat(join(uploads_dir, id))
        return { key, xml: uploadXml(key, id, birthtime) }
      }),
    )
    const listed = found.filter(({ key }) => key.startsWith(begin)).map(({ xml }) => xml)
    return answer(c, 200, `<ListMultipartUploadsResult>${listed.join('')}</ListMultipartUploadsResult>`)
  }

const uploadXml = (key: string, id: string, started: Date) =>
  `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${started.toISOString()}</Initiated></Upload>`

async function answer(c: Parameters<Step>[0], status: number, body: string): Promise<void> {
  c.status = status
  c.type = 'application/xml'
  c.body = body
}
