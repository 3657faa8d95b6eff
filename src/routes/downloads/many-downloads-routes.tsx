/**
 * Downloads of several videos at once: the selected ones, all of a kind, or all of a site. Programs get a result for each video; the page
 * that a form was on reports the result.
 */
import { type Context, Hono } from 'hono'
import { z } from 'zod'
import { restoreDeletedAt } from '../../domain/bin/restore.ts'
import { requestScope } from '../../domain/downloads/download-scopes.ts'
import {
  cancelDownloads,
  filesAmong,
  pauseDownloads,
  queueAgain,
  removeCounted,
  removeFiles,
  requestDownloads,
  resumeDownloads,
  retryFailed,
} from '../../domain/downloads/downloads.ts'
import { currentTime } from '../../runtime/clock.ts'
import { type BinLimits, RestoreForm } from '../../schema/bin/bin.ts'
import {
  BatchRequest,
  BatchResult,
  CancelRequest,
  CancelResult,
  ChosenForm,
  DownloadRequest,
  PauseForm,
  PauseRequest,
  ProbeResult,
  QueueAgainForm,
  RemoveResult,
  TryRequest,
} from '../../schema/downloads/download-api.ts'
import type { DeletedFiles } from '../../schema/downloads/space.ts'
import type { Flash } from '../../schema/http/flash.ts'
import { capitalized, countWords, deletedFilesWords } from '../../schema/values/words.ts'
import type { Store } from '../../store/files.ts'
import { RemovePage } from '../../views/downloads/delete-files-page.tsx'
import { acknowledge, back, goTo, nothing_selected, type Said, undoable } from '../http/answers.tsx'
import type { Env } from '../http/context.ts'
import { accepted, done, ok, operation, validJson } from '../http/operation.ts'
import { pageOf } from '../http/page.ts'
import { valid } from '../http/valid.ts'

export const manyDownloadsApi = (store: Store) => new Hono<Env>().route('/', batchesApi(store)).route('/', pausesApi)

export const manyDownloadsPages = (store: Store) =>
  new Hono<Env>().route('/', changesOfMany(store)).route('/', pausesOfMany)

const result_of_each = 'One result for each video'

const batchesApi = (store: Store) =>
  new Hono<Env>()
    .post(
      '/download/batch',
      operation('Request several downloads, by their ids or by a scope', accepted(BatchResult, result_of_each), {
        errors: [404],
      }),
      validJson(DownloadRequest),
      async c => {
        const { library } = c.var
        const { scope, video_ids = [] } = c.req.valid('json')
        const results = scope
          ? await requestScope(library, scope)
          : await requestDownloads(library, store.files, video_ids)
        return c.json({ results }, 202)
      },
    )

    .post(
      '/download/cancel-batch',
      operation(
        'Cancel several waiting, running or failed downloads; files on disk stay',
        ok(CancelResult, result_of_each),
      ),
      validJson(CancelRequest),
      async c => c.json({ results: await cancelDownloads(c.var.library, store.files, c.req.valid('json')) }),
    )

    .post(
      '/download/remove-batch',
      operation('Delete several files; waiting and running downloads continue', ok(RemoveResult, result_of_each)),
      validJson(BatchRequest),
      async c => c.json({ results: await removeFiles(c.var.library, store, c.req.valid('json').video_ids) }),
    )

    .post(
      '/download/retry-failed',
      operation(
        'Request every failed download that has no further attempt planned',
        accepted(BatchResult, result_of_each),
      ),
      async c => c.json({ results: await retryFailed(c.var.library, store.files) }, 202),
    )

const pausesApi = new Hono<Env>()
  .post(
    '/downloads/pause',
    operation('Pause some downloads, those of a site, or all', done('It is so now'), {
      description: 'A site from which you have no videos is not found.',
      errors: [404],
    }),
    validJson(PauseRequest),
    c => acknowledge(c, pauseDownloads(c.var.library, c.req.valid('json'))),
  )

  .post(
    '/downloads/resume',
    operation('Resume some downloads, those of a site, or all that are paused', done('It is so now')),
    validJson(PauseRequest),
    c => acknowledge(c, resumeDownloads(c.var.library, c.req.valid('json'))),
  )

  .post(
    '/downloads/try',
    operation(
      'Start one download from a site that asked to slow down, before its pause ends',
      ok(z.object({ result: ProbeResult }), 'Whether one starts'),
    ),
    validJson(TryRequest),
    async c => c.json({ result: await c.var.library.downloads.tryHost(c.req.valid('json').host) }),
  )

/** Retrying, cancelling, queuing again, deleting and restoring. */
const changesOfMany = (store: Store) =>
  new Hono<Env>()
    .post('/retry', valid('form', ChosenForm), async c => {
      const { video_id, chosen } = c.req.valid('form')
      if (chosen && video_id.length === 0) return goBack(c, nothing_selected)
      const { library } = c.var
      const results =
        video_id.length > 0 ? requestDownloads(library, store.files, video_id) : retryFailed(library, store.files)
      return goBack(c, queuedWords(await results))
    })

    .post('/cancel', valid('form', ChosenForm), async c => {
      const { video_id, all } = c.req.valid('form')
      if (!all && video_id.length === 0) return goBack(c, nothing_selected)
      const cancelled_at = currentTime()
      const which = all ? { all } : { video_ids: video_id }
      const results = await cancelDownloads(c.var.library, store.files, which, cancelled_at)
      // A dismissed one had failed, so it would only fail again.
      const can_undo = all === 'waiting' && results.some(({ result }) => result === 'cancelled')
      const text = doneWords(results, 'cancelled', all === 'failed' ? 'removed from the list' : 'cancelled')
      return goBack(c, undoable(text, can_undo && { do: 'queue_again', cancelled_at: cancelled_at.toISOString() }))
    })

    .post('/queue-again', valid('form', QueueAgainForm), async c => {
      const queued = await queueAgain(c.var.library, c.req.valid('form').cancelled_at)
      return goBack(c, queuedWords(queued))
    })

    .post('/remove', valid('form', ChosenForm), async c => {
      const { video_id, confirmed, from } = c.req.valid('form')
      if (!confirmed) {
        const files_found = await filesAmong(c.var.library, video_id)
        return files_found.video_ids.length === 0
          ? goBack(c, nothing_selected)
          : c.render(<RemovePage page={pageOf(c)} from={from} {...files_found} />)
      }
      const deleted_at = currentTime()
      const deleted = await removeCounted(c.var.library, store, video_id, deleted_at)
      // The page this came from asks for confirmation, so do not go back to it.
      return goTo(c, from === 'space' ? '/space' : '/downloads', deletedSaid(store.bin, deleted, deleted_at))
    })

    .post('/restore', valid('form', RestoreForm), async c => {
      const { deleted_at } = c.req.valid('form')
      const { restored, refusal } = await restoreDeletedAt(c.var.library, store, deleted_at)
      const words = [restored > 0 ? `${countWords(restored, 'file')} restored.` : '', refusal?.message]
      const text = words.filter(Boolean).join(' ') || 'There is nothing left to restore.'
      return goBack(c, { kind: refusal ? 'problem' : 'done', text })
    })

const goBack = (c: Context<Env>, flash: Said): Response => back(c, '/downloads', flash)

/** "14 files deleted (6.2 GB).", with a button that restores them. */
export function deletedSaid(bin: BinLimits, { files, bytes, left = 0 }: Deleted, deleted_at: Date): Flash {
  const rest = left > 0 ? ` ${countWords(left, 'file')} left: press Delete again.` : ''
  const text = files === 0 ? 'Nothing left to delete.' : `${deletedFilesWords(files, bytes)}${rest}`
  const undo = { do: 'restore_deleted', deleted_at: deleted_at.toISOString() } as const
  return undoable(text, bin.hours > 0 && files > 0 && undo)
}

type Deleted = Pick<DeletedFiles, 'files' | 'bytes'> & Partial<DeletedFiles>

export function queuedWords(results: { result: string }[]): string {
  const queued = results.filter(({ result }) => result === 'queued').length
  return queued === 0 ? 'No new videos to download.' : `${countWords(queued, 'video')} queued.`
}

/** "3 cancelled. 1 had already ended." */
function doneWords(results: { result: string }[], wanted: string, word: string): string {
  const done = results.filter(({ result }) => result === wanted).length
  const late = results.length - done
  return [
    done > 0 && `${done.toLocaleString('en')} ${word}.`,
    late > 0 && `${late.toLocaleString('en')} had already ended.`,
    results.length === 0 && 'Nothing left to do.',
  ]
    .filter(Boolean)
    .join(' ')
}

/** Pausing and resuming the downloads of a site, all or the selected ones, and trying a site. */
const pausesOfMany = new Hono<Env>()
  .post('/pause', valid('form', PauseForm), c => pauseOrResume(c, c.req.valid('form'), pauseDownloads, 'paused'))
  .post('/resume', valid('form', PauseForm), c => pauseOrResume(c, c.req.valid('form'), resumeDownloads, 'resumed'))

  .post('/try', valid('form', TryRequest), async c => {
    const { host } = c.req.valid('form')
    const result = await c.var.library.downloads.tryHost(host)
    return goBack(c, { kind: result === 'just_tried' ? 'problem' : 'done', text: tried_words[result](host) })
  })

async function pauseOrResume(c: Context<Env>, form: PauseForm, change: typeof pauseDownloads, done: string) {
  const which = chosenIn(form)
  if (!which) return goBack(c, nothing_selected)
  const changed = await change(c.var.library, which)
  return goBack(c, capitalized(changed === undefined ? `${done}.` : `${countWords(changed, 'download')} ${done}.`))
}

const tried_words: Record<ProbeResult, (host: string) => string> = {
  trying: host => `Trying one download from ${host}.`,
  just_tried: host => `${host} was tried less than a minute ago. Try again in a minute.`,
  nothing_waits: host => `Nothing from ${host} is queued.`,
}

function chosenIn({ all, host, video_id }: PauseForm): PauseRequest | undefined {
  if (all) return { all: true }
  if (host) return { host }
  return video_id.length > 0 ? { video_ids: video_id } : undefined
}
