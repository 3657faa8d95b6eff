/**
 * Sends signed requests to a bucket, again after a pause while the bucket does not answer or is busy, and reads short answers. The package
 * aws4fetch only signs: it is small, has no dependencies and uses the fetch of both runtimes. `requests.ts` has the requests.
 */
import { setTimeout } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import type { Config } from '../../config/config.ts'
import { bucketNamed } from '../../config/variable-types.ts'
import { BucketError, faultOf } from './faults.ts'

export type BucketConfig = Pick<Config, 'DOWNLOADS_DIR'> & Partial<Config>

type BucketSettings = {
  bucket: string
  /** Empty, or with a slash at its end. */
  prefix: string
  /** The address of the bucket, without a slash at its end. */
  url: string
  region: string
  access_key: string
  secret_key: string
  session_token: string | undefined
}

/**
 * Where the bucket is and how to sign requests; `undefined`: the downloads are in a folder. The operator names this server, so requests to
 * it do not pass the address guard, which is for addresses that people give: a bucket in a private network is usual.
 */
export function bucketSettings(config: BucketConfig): BucketSettings | undefined {
  const named = bucketNamed(config.DOWNLOADS_DIR)
  if (!named) return undefined
  const { AWS_REGION: region = 'us-east-1', AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL } = config
  return {
    bucket: named.bucket,
    prefix: named.prefix && `${named.prefix}/`,
    url: addressOf(named.bucket, region, AWS_ENDPOINT_URL_S3 ?? AWS_ENDPOINT_URL),
    region,
    access_key: config.AWS_ACCESS_KEY_ID ?? '',
    secret_key: config.AWS_SECRET_ACCESS_KEY ?? '',
    session_token: config.AWS_SESSION_TOKEN,
  }
}

export type BucketRequest = {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** The key of the object, with the prefix; without a key, the request is about the bucket. */
  key?: string
  query?: Record<string, string>
  headers?: Record<string, string>
  /** Called for each attempt. A stream calls `proceed` for each piece, because the time limit is one for silence. */
  body?(proceed: () => void): BodyInit
  /** Aborts the request, and its answer while that is read. */
  signal?: AbortSignal
  /** Attempts in all, the first included. */
  attempts?: number
  /** Milliseconds without an answer or progress after which an attempt has failed. */
  silence_ms?: number
}

export interface BucketClient {
  settings: BucketSettings
  /** Throws a `BucketError` for every status other than 2xx. An answer that breaks off while `read` reads it is requested again. */
  send<T>(request: BucketRequest, read: (answer: Response) => Promise<T>): Promise<T>
  signedUrl(key: string, query: Record<string, string>, life_s: number): Promise<string>
}

/** A person may wait for the answer, and a row may be locked meanwhile. Requests that may take longer have other limits. */
const usual = { attempts: 3, silence_ms: 20_000 }
const first_pause_ms = 200
const longest_pause_ms = 10_000

export function bucketClient(settings: BucketSettings, pause_ms = first_pause_ms): BucketClient {
  return {
    settings,
    async send(request, read) {
      for (let tries = 1; ; tries++) {
        try {
          return await attempt(settings, request, read)
        } catch (fault) {
          const may_succeed = fault instanceof BucketError && fault.fault === 'away'
          if (!may_succeed || tries >= (request.attempts ?? usual.attempts)) throw fault
          const pause = Math.min(pause_ms * 2 ** tries, longest_pause_ms) * (0.5 + Math.random() / 2)
          await setTimeout(pause, undefined, request.signal && { signal: request.signal })
        }
      }
    },
    async signedUrl(key, query, life_s) {
      const url = urlOf(settings, { key, query: { ...query, 'X-Amz-Expires': String(life_s) } })
      return (await sign(settings, url, { method: 'GET', signQuery: true })).url.href
    },
  }
}

async function attempt<T>(
  settings: BucketSettings,
  request: BucketRequest,
  read: (answer: Response) => Promise<T>,
): Promise<T> {
  const { method, key, headers = {}, body, signal, silence_ms = usual.silence_ms } = request
  const signed = await sign(settings, urlOf(settings, request), { method, headers })
  const watch = silenceWatch(signal, silence_ms)
  try {
    const answer = await fetch(signed.url, {
      method,
      headers: signed.headers,
      // A redirect would lead to a request that is not signed for its server.
      redirect: 'manual',
      signal: watch.signal,
      ...(body && { body: body(watch.proceed), duplex: 'half' }),
    } as RequestInit)
    watch.proceed()
    if (answer.ok) return await read(answer)
    const text = await answer.text()
    throw faultOf(answer.status, textsOf(text, 'Code')[0] ?? '', { method, key })
  } catch (fault) {
    if (fault instanceof BucketError) throw fault
    signal?.throwIfAborted()
    // A file of this machine cannot be read.
    if (fault instanceof Error && 'code' in fault && fault.code === 'ENOENT') throw fault
    throw new BucketError('away', '', `The object storage does not answer${reasonOf(fault)}.`, { key, cause: fault })
  } finally {
    watch.end()
  }
}

type SignerOptions = ConstructorParameters<typeof AwsV4Signer>[0]

const sign = (settings: BucketSettings, url: string, options: Partial<SignerOptions>) =>
  new AwsV4Signer({
    url,
    service: 's3',
    region: settings.region,
    accessKeyId: settings.access_key,
    secretAccessKey: settings.secret_key,
    ...(settings.session_token && { sessionToken: settings.session_token }),
    ...options,
  }).sign()

function urlOf(settings: BucketSettings, { key, query = {} }: Pick<BucketRequest, 'key' | 'query'>): string {
  const path = key === undefined ? '' : `/${key.split('/').map(encodeSegment).join('/')}`
  const url = new URL(`${settings.url}${path}`)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

/** As Amazon encodes a key before it signs. Some servers compare the path as it was sent. */
const encodeSegment = (segment: string) =>
  encodeURIComponent(segment).replace(/[!'()*]/g, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** Aborts after a silence, until the answer is read. */
function silenceWatch(given: AbortSignal | undefined, silence_ms: number) {
  const silence = new AbortController()
  const timer = globalThis.setTimeout(() => silence.abort(new Error('it was silent for too long')), silence_ms)
  return {
    signal: given ? AbortSignal.any([silence.signal, given]) : silence.signal,
    proceed: () => void timer.refresh(),
    end: () => clearTimeout(timer),
  }
}

/** Only a code, such as `ECONNREFUSED`: the words of a runtime can contain the address of the storage, and people see the reason. */
const reasonOf = (fault: unknown): string => {
  const cause = fault instanceof Error && fault.cause instanceof Error ? fault.cause : fault
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? `: ${cause.code}` : ''
}

/** Other servers than Amazon's often have one name for all buckets. A bucket with dots in its name does not fit Amazon's certificate. */
function addressOf(bucket: string, region: string, endpoint: string | undefined): string {
  if (endpoint) return `${endpoint.replace(/\/+$/, '')}/${bucket}`
  if (bucket.includes('.')) return `https://s3.${region}.amazonaws.com/${bucket}`
  return `https://${bucket}.s3.${region}.amazonaws.com`
}

/**
 * The texts of all elements with this name, which contain no elements. The answers of object storage have a fixed shape, and their texts
 * are keys and ids, so no parser is loaded.
 */
export const textsOf = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text = '']) => decoded(text))

/** The contents of all elements with this name. */
export const partsOf = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map(([, content = '']) => content)

/** A text as XML contains it. */
export const encoded = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const decoded = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]+)|#([0-9]+)|([a-z]+));/gi, (whole, hex, decimal, name) =>
    name ? (named[name] ?? whole) : String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal)),
  )
