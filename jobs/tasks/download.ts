/** One attempt at one download. A retry is a job of its own, added with the failure it follows. */
import type { Task } from 'graphile-worker'
import { noteToolOutcome } from '../../src/db/across/tool-outcomes.ts'
import { libraryOf } from '../../src/db/library/library.ts'
import { performDownload } from '../../src/domain/downloads/perform-download.ts'
import { DownloadJob } from '../../src/schema/jobs.ts'
import type { Failure } from '../../src/ytdlp/run/failure.ts'
import { mayBeMended } from '../../src/ytdlp/tools/renewal.ts'
import type { Parts } from '../worker/parts.ts'
import { downloadTurn, yieldReasonOf } from '../worker/turns.ts'

export const download =
  ({ sql, files, download, tools, host_limits, room, claims, log }: Parts): Task =>
  async (payload, { abortSignal }) => {
    const { user_id, video_id } = DownloadJob.parse(payload)
    const library = libraryOf(sql, user_id)
    const { ytdlp_version } = tools()
    let failure: Failure | undefined
    const onFailure = (found: Failure) => {
      failure = found
      log.warn({ video_id, ...found }, 'a download failed')
    }
    const outcome = await performDownload(
      {
        library,
        files,
        download,
        earliestStart: downloadTurn(host_limits),
        yieldReasonOf: yieldReasonOf(sql, host_limits),
        room,
        watchClaim: claims.watch,
        stopping: abortSignal,
        onFailure,
      },
      video_id,
    )
    const failed = failure !== undefined && mayBeMended(failure)
    if (ytdlp_version && (failed || outcome === 'completed'))
      await noteToolOutcome(sql, { user_id, video_id, ytdlp_version, failed }).catch((fault: unknown) =>
        log.warn({ err: fault }, 'could not note how a download ended'),
      )
    log.debug({ video_id, outcome }, 'download over')
  }
