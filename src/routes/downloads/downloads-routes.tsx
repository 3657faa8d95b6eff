/** The lists of downloads, and downloading all videos of a scope. */
import { Hono } from 'hono'
import { countKnown } from '../../domain/channels/backfills.ts'
import { requestScope, scopeOutlook, scopeQuestion, takeBack } from '../../domain/downloads/download-scopes.ts'
import { requestDownloads } from '../../domain/downloads/downloads.ts'
import { downloadsOverview, downloadsShown } from '../../domain/downloads/shelves.ts'
import { currentTime } from '../../runtime/clock.ts'
import {
  DownloadsQuery,
  ScopeForm,
  ScopeOf,
  ScopeOutlook,
  ShelfQuery,
  StatusQuery,
  TakeBackForm,
} from '../../schema/downloads/download-api.ts'
import { countWords } from '../../schema/values/words.ts'
import { DownloadsShown } from '../../schema/videos/video-api.ts'
import type { Store } from '../../store/files.ts'
import { ScopeQuestionPage, Scopes, ScopesPage, scopePath } from '../../views/downloads/download-menu.tsx'
import { DownloadsPage } from '../../views/downloads/downloads-page.tsx'
import { back, goTo, undoable } from '../http/answers.tsx'
import { type Env, isFragment } from '../http/context.ts'
import { ok, operation, validQuery } from '../http/operation.ts'
import { pageOf } from '../http/page.ts'
import { valid } from '../http/valid.ts'
import { manyDownloadsApi, manyDownloadsPages, queuedWords } from './many-downloads-routes.tsx'
import { oneDownloadApi, oneDownloadPages } from './one-download-routes.tsx'

export const downloadsApi = (store: Store) =>
  new Hono<Env>().route('/', listsApi).route('/', manyDownloadsApi(store)).route('/', oneDownloadApi(store))

const listsApi = new Hono<Env>()
  .get(
    '/downloads',
    operation(
      'List the downloads of all channels: running, waiting, failed or done',
      ok(DownloadsShown, 'One page, in the order of the downloads page, and the number of downloads on each shelf'),
    ),
    validQuery(DownloadsQuery),
    async c => c.json(await downloadsShown(c.var.library, c.req.valid('query'))),
  )

  .get(
    '/downloads/outlook',
    operation(
      'Count the videos that each scope of a batch request would queue, and estimate their size',
      ok(ScopeOutlook, 'The number and size of the videos of each scope'),
      { errors: [404] },
    ),
    validQuery(ScopeOf),
    async c => c.json(await scopeOutlook(c.var.library, c.req.valid('query'))),
  )

export const downloadsPages = (store: Store) =>
  new Hono<Env>()
    .get('/', valid('query', ShelfQuery), async c => {
      const overview = await downloadsOverview(c.var.library, c.req.valid('query'), store.bin.quota_bytes)
      return c.render(<DownloadsPage page={pageOf(c)} overview={overview} />)
    })

    .post('/', valid('form', StatusQuery), async c => {
      const results = await requestDownloads(c.var.library, store.files, c.req.valid('form').video_id)
      return back(c, '/downloads', queuedWords(results))
    })

    .route('/', scopedDownloads(store))
    .route('/', manyDownloadsPages(store))
    // Must come last, because its paths begin with the id of a video.
    .route('/', oneDownloadPages(store))

/** Downloading many videos at once: the figures of the menu, the question, and undoing the request. */
const scopedDownloads = (store: Store) =>
  new Hono<Env>()
    .get('/outlook', valid('query', ScopeOf), async c => {
      const of = c.req.valid('query')
      const [outlook, known] = await Promise.all([
        scopeOutlook(c.var.library, of),
        of.channel_id === undefined ? undefined : countKnown(c.var.library, of.channel_id),
      ])
      const scopes = { of, outlook, known }
      return c.render(isFragment(c) ? <Scopes {...scopes} /> : <ScopesPage page={pageOf(c)} {...scopes} />)
    })

    .post('/scope', valid('form', ScopeForm), async c => {
      const { confirmed, ...scope } = c.req.valid('form')
      const question = confirmed
        ? undefined
        : await scopeQuestion(c.var.library, store.files, scope, store.bin.quota_bytes)
      if (question) return c.render(<ScopeQuestionPage page={pageOf(c)} scope={scope} question={question} />)
      const requested_at = currentTime()
      const results = await requestScope(c.var.library, scope, requested_at)
      const undo = { do: 'take_back', requested_at: requested_at.toISOString() } as const
      return goTo(c, scopePath(scope), undoable(queuedWords(results), results.length > 0 && undo))
    })

    .post('/take-back', valid('form', TakeBackForm), async c => {
      const cancelled = await takeBack(c.var.library, c.req.valid('form').requested_at)
      const text =
        cancelled === 0 ? 'These downloads have started already.' : `${countWords(cancelled, 'download')} cancelled.`
      return back(c, '/downloads', text)
    })
