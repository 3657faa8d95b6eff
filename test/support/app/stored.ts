/** In this process: files as runs of downloads store them, in any storage. */
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { UserId } from '../../../src/schema/values/user.ts'
import type { Files } from '../../../src/store/files.ts'
import { placeOf } from '../../../src/store/paths.ts'

const usual_ids = { channel_id: 'kitchen', video_id: 'v1' }

/** Of a new person. */
export const newRun = () => ({ user_id: UserId.parse(crypto.randomUUID()), video_id: 'v1', claim: crypto.randomUUID() })

/** The file of a new run, in its work folder. */
export async function finished(files: Files, bytes: string | Uint8Array = 'a video', ids = usual_ids) {
  const run = { ...newRun(), ...ids }
  const file = join(await files.workFolder(run), 'video.mp4')
  await writeFile(file, bytes)
  const place = placeOf(run)
  return { run, file, place, stage: () => files.stage(file, place) }
}

/** Stores the video of a new person with English subtitles. Returns its place. */
export async function kept(files: Files, ...what: [bytes?: string | Uint8Array, ids?: typeof usual_ids]) {
  const { run, file, place } = await finished(files, ...what)
  const subtitle = join(dirname(file), 'video.en.vtt')
  await writeFile(subtitle, 'WEBVTT')
  await (await files.stage(file, place, [{ language: 'en', file: subtitle }])).put()
  await files.forgetWork(run)
  return place
}

/** Stages a copy of a stored video and its subtitles for a new person. */
export async function stageCopy(files: Files, download_path: string, ids = usual_ids) {
  const run = newRun()
  const place = placeOf({ ...run, ...ids })
  const from = { download_path, languages: ['en', 'de'] }
  return { place, staged: await files.stageCopy(from, place, await files.workFolder(run)) }
}
