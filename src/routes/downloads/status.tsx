/**
 * The status of downloads: JSON for programs, fragments for our own pages (htmx), 304 when nothing has changed.
 * The pages' side of this poll is `views/downloads/polling.tsx`.
 */
import type { Context } from 'hono'
import { Hono } from 'hono'
import type { Library } from '../../db/library.ts'
import { getDownload } from '../../domain/downloads/downloads.ts'
import { downloadsOverview } from '../../domain/downloads/shelves.ts'
import { boundedCache } from '../../runtime/cache.ts'
import { currentTime } from '../../runtime/clock.ts'
import { Download, isMoving } from '../../schema/downloads/download.ts'
import { PollQuery, Statuses, StatusQuery } from '../../schema/downloads/download-api.ts'
import { DownloadCell } from '../../views/downloads/download-cell.tsx'
import { DownloadsMoved, figuresOf } from '../../views/downloads/downloads-page.tsx'
import { cellsOf, DownloadCells, hashOf, tagOfCells } from '../../views/downloads/polling.tsx'
import { type Env, isFragment } from '../http/context.ts'
import { done, ok, operation, validQuery } from '../http/operation.ts'

const fragment = 'For requests with `HX-Request: true`: part of a page'

/** Of the kept JSON of all people together. */
const max_kept_characters = 8_000_000

export function statusApi(service_bytes: number) {
  // Programs that send no `If-None-Match` cost little too: reading fifty downloads and writing them as JSON takes more than twice as
  // long as finding that their version is known.
  const answers = boundedCache<{ version: string; json: string }>(max_kept_characters)

  /** While `state` is the same, so is `json`. That is empty if the client has this state and no JSON of it is kept. */
  async function statusesAsJson(library: Library, video_ids: string[], known: string) {
    const key = [library.user_id, ...video_ids].join('\0')
    const kept = answers.find(key)
    const { version, downloads } = await library.videos.changed(video_ids, [known, kept?.version ?? ''])
    if (downloads === null) return { state: version, json: version === kept?.version ? kept.json : '' }
    const json = JSON.stringify(downloads)
    if (version !== null) answers.keep(key, { version, json }, json.length)
    return { state: version ?? hashOf(json), json }
  }

  return new Hono<Env>()

    .use('/download/status/*', async (c, next) => {
      await next()
      c.res.headers.append('Vary', 'HX-Request')
    })

    .get(
      '/download/status',
      operation(
        'Read the status of several downloads',
        {
          ...ok(Statuses, 'The videos that exist', fragment),
          ...done('Nothing has changed since the response with the `ETag` in `If-None-Match`', 304),
        },
        // The other fields of `PollQuery` are for our own pages.
        { query: StatusQuery },
      ),
      validQuery(PollQuery),
      async c => {
        const { video_id, known, tally, ...shelf } = c.req.valid('query')
        const library = c.get('library')
        if (!isFragment(c)) {
          const { state, json } = await statusesAsJson(library, video_id, knownIn(c, 'json'))
          return tagged(c, 'json', state, () =>
            c.body(`{"statuses":${json}}`, 200, { 'Content-Type': 'application/json' }),
          )
        }
        const now = currentTime()
        const figures = tally && figuresOf(await library.videos.tally())
        if (figures !== tally) {
          const overview = await downloadsOverview(library, shelf, service_bytes)
          return c.render(<DownloadsMoved overview={overview} now={now} />)
        }
        const kind = figures ?? ''
        const { version, downloads } = await library.videos.changed(video_id, [knownIn(c, kind)])
        if (downloads === null) return unchanged(c)
        const cells = cellsOf(downloads, now)
        const has_ended = downloads.some(download => !isMoving(download, now))
        const active = has_ended ? await library.videos.active() : undefined
        return tagged(c, kind, version ?? tagOfCells(cells), () =>
          c.render(
            <DownloadCells
              downloads={downloads}
              now={now}
              cells={cells}
              active={active}
              known={paired(video_id, known)}
            />,
          ),
        )
      },
    )

    .get(
      '/download/status/:video_id',
      operation('Read the status of a download', ok(Download, 'The status of the download', fragment)),
      async c => {
        const download: Download = await getDownload(c.get('library'), c.req.param('video_id'))
        return isFragment(c) ? c.render(<DownloadCell download={download} now={currentTime()} />) : c.json(download)
      },
    )
}

/**
 * Answers 304 when the client has this state already. The tag is weak: equal states need not be equal bytes. `kind` keeps the
 * tags of different answers to one address apart.
 */
function tagged(c: Context<Env>, kind: string, state: string, answer: () => Response | Promise<Response>) {
  if (knownIn(c, kind) === state) return unchanged(c)
  c.header('ETag', `W/"${kind}.${state}"`)
  return answer()
}

/** The client has the state that it named. */
function unchanged(c: Context<Env>): Response {
  c.header('ETag', c.req.header('if-none-match'))
  return c.body(null, 304)
}

/** The state in `If-None-Match`; empty if there is none of this kind. */
function knownIn(c: Context<Env>, kind: string): string {
  const tag = c.req.header('if-none-match') ?? ''
  const start = `W/"${kind}.`
  return tag.startsWith(start) && tag.endsWith('"') ? tag.slice(start.length, -1) : ''
}

const paired = (video_ids: string[], tags: string[]) =>
  new Map(video_ids.map((video_id, index) => [video_id, tags[index] ?? '']))
