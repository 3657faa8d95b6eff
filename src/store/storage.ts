/** Opens the storage that the configuration names. The processes that work with files call this, and know no kind of storage. */
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { requireFolder } from '../runtime/folders.ts'
import { type BucketClient, type BucketConfig, bucketClient, bucketSettings } from './bucket/client.ts'
import { BucketError } from './bucket/faults.ts'
import { requestsTo } from './bucket/requests.ts'
import { filesInBucket } from './bucket-files.ts'
import type { KnownFiles } from './disk.ts'
import type { Files } from './files.ts'
import { filesIn } from './local-files.ts'

type Settings = BucketConfig & Pick<Config, 'DATA_DIR'>

/** `knownFiles`: without them, an empty folder is taken for the disk of the downloads. */
export function openStorage(config: Settings, knownFiles?: KnownFiles): Files {
  const bucket = bucketSettings(config)
  if (bucket) return filesInBucket(bucketClient(bucket), workFolder(config))
  const files = filesIn(config.DOWNLOADS_DIR, { knownFiles })
  // Marks the disk before it can be lost. A fault is thrown again where it matters.
  files.requireWritable().catch(() => {})
  return files
}

/** Throws a sentence that names the variable when files cannot be stored. `true`: a folder lost permissions. */
export async function requireStorage(config: Settings): Promise<boolean> {
  const bucket = bucketSettings(config)
  if (!bucket) return requireFolder('DOWNLOADS_DIR', config.DOWNLOADS_DIR)
  await requireFolder('DATA_DIR', config.DATA_DIR)
  await requireBucket(bucketClient(bucket))
  return false
}

/** Where browsers may load videos from: the origin of the bucket; `undefined`: only from this service. */
export function videoOrigin(config: BucketConfig & Pick<Config, 'STREAM_OFFLOAD'>): string | undefined {
  const bucket = config.STREAM_OFFLOAD === 'signed-url' ? bucketSettings(config) : undefined
  return bucket && new URL(bucket.url).origin
}

const workFolder = ({ DATA_DIR }: Settings) => join(DATA_DIR, 'work')

/** Throws one sentence for the operator when the bucket does not answer. */
async function requireBucket(client: BucketClient): Promise<void> {
  await requestsTo(client)
    .check()
    .catch((fault: unknown) => {
      if (!(fault instanceof BucketError)) throw fault
      throw new Error(sentenceOf(fault, client), { cause: fault })
    })
}

function sentenceOf({ fault, s3_code }: BucketError, { settings: { url, bucket } }: BucketClient): string {
  const { origin } = new URL(url)
  const answer = s3_code ? ` (${s3_code})` : ''
  if (fault === 'no_bucket')
    return `There is no bucket ${bucket} at ${origin}${answer}. Create it, or check DOWNLOADS_DIR.`
  if (fault === 'refused')
    return `${origin} does not let us list the bucket ${bucket}${answer}. Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and the permissions of the key.`
  if (fault === 'away')
    return `The object storage at ${origin} does not answer${answer}. Check AWS_ENDPOINT_URL_S3 and the network.`
  return `The object storage at ${origin} did not list the bucket ${bucket}${answer}. Check DOWNLOADS_DIR and AWS_REGION.`
}
