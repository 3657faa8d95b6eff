/**
 * Stores files in a bucket of object storage (S3), so that workers and web processes share no disk. A file appears at its key when
 * its upload is completed. Nothing can be moved in a bucket, so a deleted file stays at its key, where only its row finds it, until
 * the bin is emptied. The work folders of runs are on this machine.
 */
import { mkdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SubtitleFile } from '../schema/sources/subtitles.ts'
import { arrivingIn } from './arriving.ts'
import { cleanUploads } from './bucket/clean-uploads.ts'
import type { BucketClient } from './bucket/client.ts'
import { BucketError } from './bucket/faults.ts'
import { rangeReader } from './bucket/read-range.ts'
import { type KeyPage, requestsTo, type Upload, type Uploaded } from './bucket/requests.ts'
import { copyObject, uploadFile } from './bucket/upload.ts'
import type { Files, SentAs, Staged, StageOptions } from './files.ts'
import { stemOf, subtitleLanguage, subtitlePath } from './paths.ts'
import { workIn } from './work.ts'

/** Seconds in which a browser may request further parts of a video from the address that it was given. */
export const signed_life_s = 12 * 3600

export function filesInBucket(client: BucketClient, work_dir: string): Files {
  const requests = requestsTo(client)
  const { prefix } = client.settings
  const root = madeFolder(work_dir)
  root.catch(() => {})
  const work = workIn(root)
  const cleanBucket = cleanUploads(requests, prefix)

  /** `undefined`: this is no path of a file. */
  const keyOf = (path: string) => (isPlain(path) ? prefix + path : undefined)
  const placeOf = (path: string) => {
    const key = keyOf(path)
    if (key === undefined) throw new BucketError('unusable', '', 'This is no path of a file.')
    return key
  }
  const find = async (path: string) => {
    const key = keyOf(path)
    const found = key === undefined ? undefined : await requests.find(key)
    return found && key !== undefined ? { ...found, key } : undefined
  }

  const putSubtitle = async ({ language, file }: SubtitleFile, download_path: string) => {
    const bytes = await readSmall(file)
    if (bytes) await requests.write(placeOf(subtitlePath(download_path, language)), bytes)
  }

  /** Uploads now. `put` may be repeated: an upload that is completed already left its mark at the object. */
  const staged = async (
    download_path: string,
    { file_size, subtitles, signal }: Pick<Staged, 'file_size'> & StageOptions & { subtitles: SubtitleFile[] },
    send: (upload: Upload) => Promise<Uploaded>,
  ): Promise<Staged> => {
    const mark = crypto.randomUUID()
    const upload = await requests.startUpload(placeOf(download_path), mark, signal)
    const drop = () => requests.abort(upload)
    const uploaded = await send(upload).catch(async (fault: unknown) => {
      await drop().catch(() => {})
      throw fault
    })
    return {
      file_size,
      async put() {
        await Promise.all(subtitles.map(subtitle => putSubtitle(subtitle, download_path)))
        await requests.complete(uploaded).catch(async (fault: unknown) => {
          if ((await find(download_path))?.mark !== mark) throw asAway(fault)
        })
      },
      async drop() {
        await drop()
      },
    }
  }

  const remove = async (download_path: string) => {
    const key = keyOf(download_path)
    if (key === undefined) return
    const { keys: near } = await requests.list(`${stemOf(key)}.`)
    const subtitles = near.filter(other => isNextTo(key, other) && subtitleLanguage(nameOf(other), key))
    for (const removed of [...subtitles, key]) await requests.remove(removed)
  }

  const removeAll = async (...download_paths: string[]) => {
    for (const path of download_paths) await remove(path)
  }

  return {
    ...work,
    arriving: arrivingIn(root),

    async stage(file, download_path, subtitles = [], { signal } = {}) {
      const { size } = await stat(file)
      return staged(download_path, { file_size: size, subtitles, signal }, upload =>
        uploadFile(requests, upload, { file, size, signal }),
      )
    },

    async stageCopy({ download_path: from, languages }, download_path, work_folder, { signal } = {}) {
      const found = await find(from)
      if (!found) return undefined
      const subtitles: SubtitleFile[] = []
      for (const language of languages) {
        const bytes = await requests.readAll(placeOf(subtitlePath(from, language)))
        const file = join(work_folder, `shared.${language}.vtt`)
        if (!bytes) continue
        await writeFile(file, bytes)
        subtitles.push({ language, file })
      }
      return await staged(download_path, { file_size: found.size, subtitles, signal }, upload =>
        copyObject(requests, upload, found, signal),
      ).catch((fault: unknown) => {
        if (fault instanceof BucketError && fault.fault === 'missing') return undefined
        throw fault
      })
    },

    async open(download_path) {
      const found = await find(download_path)
      if (!found) return undefined
      const { key, size, modified_at, etag } = found
      const signedUrl = ({ type, disposition }: SentAs) =>
        client.signedUrl(
          key,
          {
            'response-content-type': type,
            'response-cache-control': 'private, no-store',
            ...(disposition && { 'response-content-disposition': disposition }),
          },
          signed_life_s,
        )
      return { download_path, source: rangeReader(requests, key, etag), size, modified_at, etag, signedUrl }
    },

    exists: async download_path => (await find(download_path)) !== undefined,

    write: async (path, bytes) => requests.write(placeOf(path), new Uint8Array(bytes)),

    async read(path) {
      const key = keyOf(path)
      return key === undefined ? undefined : requests.readAll(key)
    },

    localPath: async () => undefined,
    remove: removeAll,
    async discard() {},
    async recover(...download_paths) {
      for (const path of download_paths) if (!(await find(path))) return false
      return true
    },
    purge: removeAll,
    async *binned() {},

    async forgetUser(user_id) {
      await rm(join(await root, '.work', user_id), { recursive: true, force: true, maxRetries: 3 })
      const theirs = `${prefix}${user_id}/`
      for (let page: KeyPage | undefined; !page || page.next; ) {
        page = await requests.list(theirs, page?.next)
        if (page.keys.length > 0) await requests.removeAll(page.keys)
      }
      for (const upload of await requests.listUploads(theirs)) await requests.abort(upload)
    },

    async forgetAbandoned(claims, now) {
      await work.forgetAbandoned(claims, now)
      await cleanBucket(now)
    },
  }
}

/** Links and dots have no meaning in a bucket. A URL would drop segments of dots, so the key could be another one. */
const isPlain = (path: string) =>
  !path.includes('\0') && path.split('/').every(segment => !['', '.', '..'].includes(segment))

const nameOf = (key: string) => key.slice(key.lastIndexOf('/') + 1)
const isNextTo = (key: string, other: string) => other.lastIndexOf('/') === key.lastIndexOf('/')

async function madeFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  return realpath(folder)
}

/** `undefined`: `put` is repeated, and the folder of the run was removed after the first time. */
const readSmall = (file: string) =>
  readFile(file).then(
    bytes => new Uint8Array(bytes),
    (fault: NodeJS.ErrnoException) => {
      if (fault.code !== 'ENOENT') throw fault
      return undefined
    },
  )

/** The upload was aborted while it waited for its turn. The run is tried again. */
const asAway = (fault: unknown) =>
  fault instanceof BucketError && fault.fault === 'missing'
    ? new BucketError('away', fault.s3_code, 'The object storage lost an upload.', { key: fault.key, cause: fault })
    : fault
