/**
 * Stores files in a bucket of object storage (S3), so that workers and web processes share no disk. A file appears at its key when
 * its upload is completed. Nothing can be moved in a bucket, so a deleted file stays at its key, where only its row finds it, until
 * the bin is emptied. The work folders of runs are on this machine.
 */
import { mkdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { joined } from '../runtime/within.ts'
import type { SubtitleFile } from '../schema/sources/subtitles.ts'
import { arrivingIn } from './arriving.ts'
import { requireBucket } from './bucket/check.ts'
import type { BucketClient } from './bucket/client.ts'
import { BucketError } from './bucket/faults.ts'
import type { KeyPage, StoredObject, Upload, Uploaded } from './bucket/requests.ts'
import * as requests from './bucket/requests.ts'
import { cleanUploads, copyObject, rangeReader, uploadFile } from './bucket/transfers.ts'
import type { Files, OpenFile, SentAs, Staged, StageOptions } from './files.ts'
import { ignoreMissing } from './moves-in-folder.ts'
import { isBeside, stemOf, subtitlePath } from './paths.ts'
import { workIn } from './work.ts'

/** Seconds in which a browser may request further parts of a video from the address that it was given. */
export const signed_life_s = 12 * 3600

const check_within_ms = 5000

export function filesInBucket(client: BucketClient, work_dir: string): Files {
  const root = madeFolder(work_dir)
  root.catch(() => {})
  const work = workIn(root)
  const cleanBucket = cleanUploads(client)
  const removeAll = async (...download_paths: string[]) => {
    for (const path of download_paths) await remove(client, path)
  }
  const reach = async () => {
    await work.requireWritable()
    await requireBucket(client, check_within_ms)
  }
  return {
    ...work,
    requireReachable: joined(reach),
    arriving: arrivingIn(root),
    stage: (file, download_path, subtitles = [], options = {}) =>
      stageFile(client, file, { download_path, subtitles, ...options }),
    stageCopy: (from, download_path, work_folder, options = {}) =>
      stageCopy(client, from, work_folder, { download_path, ...options }),
    open: download_path => open(client, download_path),
    exists: async download_path => (await find(client, download_path)) !== undefined,
    write: async (path, bytes) => requests.write(client, requireKey(client, path), new Uint8Array(bytes)),
    async read(path) {
      const key = keyOf(client, path)
      return key === undefined ? undefined : requests.readAll(client, key)
    },
    localPath: async () => undefined,
    remove: removeAll,
    async discard() {},
    async recover(...download_paths) {
      for (const path of download_paths) if (!(await find(client, path))) return false
      return true
    },
    purge: removeAll,
    inBin: download_path => download_path,
    async *binned() {},
    async forgetUser(user_id) {
      await rm(join(await root, '.work', user_id), { recursive: true, force: true, maxRetries: 3 })
      await forgetKeys(client, `${client.settings.prefix}${user_id}/`)
    },
    async forgetAbandoned(claims, now) {
      await work.forgetAbandoned(claims, now)
      await cleanBucket(now)
    },
  }
}

async function madeFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  return realpath(folder)
}

/** What is stored, and where. */
type Destination = StageOptions & { download_path: string; subtitles: SubtitleFile[] }

async function stageFile(client: BucketClient, file: string, destination: Destination): Promise<Staged> {
  const { size } = await stat(file)
  return staged(client, size, destination, upload =>
    uploadFile(client, upload, { file, size, signal: destination.signal }),
  )
}

async function stageCopy(
  client: BucketClient,
  { download_path: from, languages }: { download_path: string; languages: string[] },
  work_folder: string,
  destination: Omit<Destination, 'subtitles'>,
): Promise<Staged | undefined> {
  const original = await find(client, from)
  if (!original) return undefined
  const subtitles: SubtitleFile[] = []
  for (const language of languages) {
    const bytes = await requests.readAll(client, requireKey(client, subtitlePath(from, language)))
    if (!bytes) continue
    const file = join(work_folder, `shared.${language}.vtt`)
    await writeFile(file, bytes)
    subtitles.push({ language, file })
  }
  return staged(client, original.size, { ...destination, subtitles }, upload =>
    copyObject(client, upload, original, destination.signal),
  ).catch((fault: unknown) => {
    if (fault instanceof BucketError && fault.fault === 'missing') return undefined
    throw fault
  })
}

/** Uploads now. `put` may be repeated: an upload that is completed already left its mark at the object. */
async function staged(
  client: BucketClient,
  file_size: number,
  { download_path, subtitles, signal }: Destination,
  send: (upload: Upload) => Promise<Uploaded>,
): Promise<Staged> {
  const mark = crypto.randomUUID()
  const upload = await requests.startUpload(client, requireKey(client, download_path), mark, signal)
  const uploaded = await send(upload).catch(async (fault: unknown) => {
    await requests.abort(client, upload).catch(() => {})
    throw fault
  })
  return {
    file_size,
    async put() {
      await Promise.all(subtitles.map(subtitle => putSubtitle(client, subtitle, download_path)))
      await requests.complete(client, uploaded).catch(async (fault: unknown) => {
        if ((await find(client, download_path))?.mark !== mark) throw asAway(fault)
      })
    },
    drop: () => requests.abort(client, upload),
  }
}

async function putSubtitle(
  client: BucketClient,
  { language, file }: SubtitleFile,
  download_path: string,
): Promise<void> {
  // When `put` is repeated, the folder of the run may have been removed after the first time.
  const bytes = await readFile(file).catch(ignoreMissing)
  const key = requireKey(client, subtitlePath(download_path, language))
  if (bytes) await requests.write(client, key, new Uint8Array(bytes))
}

/** The upload was aborted while it waited for its turn. The run is tried again. */
const asAway = (fault: unknown) =>
  fault instanceof BucketError && fault.fault === 'missing'
    ? new BucketError('away', fault.s3_code, 'The object storage lost an upload.', { key: fault.key, cause: fault })
    : fault

async function open(client: BucketClient, download_path: string): Promise<OpenFile | undefined> {
  const stored = await find(client, download_path)
  if (!stored) return undefined
  const { key, size, modified_at, etag } = stored
  const signedUrl = ({ type, disposition }: SentAs) => {
    const headers = {
      'response-content-type': type,
      'response-cache-control': 'private, no-store',
      ...(disposition && { 'response-content-disposition': disposition }),
    }
    return client.signedUrl(key, headers, signed_life_s)
  }
  return { source: rangeReader(client, { key, etag }), size, modified_at, etag, signedUrl }
}

/** Removes the file, and the subtitles and the sound beside it. */
async function remove(client: BucketClient, download_path: string): Promise<void> {
  const key = keyOf(client, download_path)
  if (key === undefined) return
  const { keys: near } = await requests.list(client, `${stemOf(key)}.`)
  const beside = near.filter(other => isInFolderOf(key, other) && isBeside(nameOf(other), key))
  for (const removed of [...beside, key]) await requests.remove(client, removed)
}

const nameOf = (key: string) => key.slice(key.lastIndexOf('/') + 1)
const isInFolderOf = (key: string, other: string) => other.lastIndexOf('/') === key.lastIndexOf('/')

async function forgetKeys(client: BucketClient, prefix: string): Promise<void> {
  for (let page: KeyPage | undefined; !page || page.next; ) {
    page = await requests.list(client, prefix, page?.next)
    if (page.keys.length > 0) await requests.removeAll(client, page.keys)
  }
  for (const upload of await requests.listUploads(client, prefix)) await requests.abort(client, upload)
}

async function find(client: BucketClient, path: string): Promise<(StoredObject & { key: string }) | undefined> {
  const key = keyOf(client, path)
  const stored = key === undefined ? undefined : await requests.find(client, key)
  return stored && key !== undefined ? { ...stored, key } : undefined
}

function requireKey(client: BucketClient, path: string): string {
  const key = keyOf(client, path)
  if (key === undefined) throw new BucketError('unusable', '', 'This is no path of a file.')
  return key
}

/** `undefined`: this is not the path of a file. */
const keyOf = ({ settings }: BucketClient, path: string): string | undefined =>
  isPlain(path) ? settings.prefix + path : undefined

/** Links and dots have no meaning in a bucket. A URL would drop segments of dots, so the key could be another one. */
const isPlain = (path: string) =>
  !path.includes('\0') && path.split('/').every(segment => !['', '.', '..'].includes(segment))
