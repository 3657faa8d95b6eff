/** Opens the storage that the configuration names. The processes that work with files call this, and know no kind of storage. */
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { requireFolder } from '../runtime/folders.ts'
import { succeeds } from '../runtime/within.ts'
import { requireBucket } from './bucket/check.ts'
import { type BucketConfig, bucketClient, bucketSettings } from './bucket/client.ts'
import { filesInBucket } from './bucket-files.ts'
import { type KnownFiles, marker } from './disk.ts'
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

/** Throws a sentence that names the variable when files cannot be stored. `true`: a folder with files of ours lost permissions. */
export async function requireStorage(config: Settings): Promise<boolean> {
  const bucket = bucketSettings(config)
  if (!bucket) {
    const lost = await requireFolder('DOWNLOADS_DIR', config.DOWNLOADS_DIR)
    return lost && succeeds(access(join(config.DOWNLOADS_DIR, marker)))
  }
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
