/** In this process: both kinds of storage, so that one suite of tests shows that they do the same. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Files } from '../../../src/store/files.ts'
import { openStorage } from '../../../src/store/storage.ts'
import { type Bucket, startBucket } from './bucket.ts'

export const storage_kinds = ['a folder', 'a bucket'] as const
export type StorageKind = (typeof storage_kinds)[number]

export type TestStorage = {
  files: Files
  /** A folder of this machine: the storage itself, or what a service with a bucket keeps on its disk. */
  folder: string
  bucket?: Bucket
  /** Stores a file without a run. Returns its path on this machine, if it has one. */
  give(download_path: string, bytes: string | Uint8Array): Promise<string>
  close(): Promise<void>
}

export async function openTestStorage(kind: StorageKind): Promise<TestStorage> {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-storage-'))
  const bucket = kind === 'a bucket' ? await startBucket() : undefined
  const files = openStorage({ DATA_DIR: folder, DOWNLOADS_DIR: folder, ...bucket?.variables })
  return {
    files,
    folder,
    ...(bucket && { bucket }),
    async give(download_path, bytes) {
      const file = join(folder, download_path)
      if (bucket) await files.write(download_path, Buffer.from(bytes))
      else {
        await mkdir(dirname(file), { recursive: true })
        await writeFile(file, bytes)
      }
      return file
    },
    async close() {
      await bucket?.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
