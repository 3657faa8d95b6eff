/** One attempt at one download. A retry is a job of its own, added with the failure it follows. */
import type { Task } from 'graphile-worker'
import { libraryOf } from '../src/db/library.ts'
import { performDownload } from '../src/domain/perform-download.ts'
import { DownloadJob } from '../src/schema/jobs.ts'
import type { Parts } from './parts.ts'
import { downloadTurn, wayOf } from './turns.ts'

export const download =
  ({ sql, files, download, manners, room, claims, log }: Parts): Task =>
  async (payload, { abortSignal }) => {
    const { user_id, video_id } = DownloadJob.parse(payload)
    const library = libraryOf(sql, user_id)
    const onFailure = (failure: object) => log.warn({ video_id, ...failure }, 'a download failed')
    const outcome = await performDownload(
      {
        library,
        files,
        download,
        turn: downloadTurn(manners),
        wayOf: wayOf(sql, manners),
        room,
        watchClaim: claims.watch,
        stopping: abortSignal,
        onFailure,
      },
      video_id,
    )
    log.debug({ video_id, outcome }, 'download over')
  }
