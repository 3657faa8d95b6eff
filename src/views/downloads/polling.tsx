/**
 * The poll, which keeps the download cells of a page up to date. Its whole protocol:
 *
 *     GET /api/download/status?video_id=a&known=1f3c&video_id=b&known=&tally=1.2.0.9     once a second, HX-Request: true
 *     200, ETag W/"…"      an <hx-partial> for each cell that differs, with its new tag; for each ended one, its removal
 *     304                  nothing has changed since the answer with this ETag (`static/page/polling.js` sends If-None-Match)
 *
 * `known` pairs with `video_id` by position: the hash of the cell that the page shows; empty, and the answer contains the
 * cell. `tally` is sent by the downloads page only: when its four counts differ, the answer is all shelves instead.
 * Once nothing moves, the answer replaces the ticker by an element that sends nothing. The answer to an action ADDS to
 * the polled list: if it replaced the list, the answers to two quick clicks would lose one video.
 */
import type { JSX } from 'hono/jsx/jsx-runtime'
import { type Download, isMoving } from '../../schema/downloads/download.ts'
import { ActiveCountPartial } from '../frames/navigation.tsx'
import { cellId } from '../ui/element-ids.ts'
import { Hidden } from '../ui/forms.tsx'
import { DownloadCell } from './download-cell.tsx'

/** Once on every page that has cells. `shown`: further fields that every request sends. */
export const Polling = ({ video_ids, shown }: { video_ids: string[]; shown?: PageFields | undefined }) => (
  <>
    <PolledList video_ids={video_ids} shown={shown} />
    {video_ids.length === 0 ? <NoTicker /> : <Ticker />}
  </>
)

export type PageFields = Record<string, string | undefined>

export const PolledList = ({ video_ids, shown = {} }: { video_ids: string[]; shown?: PageFields | undefined }) => (
  <div id="polled">
    <Hidden fields={shown} />
    {pollable(video_ids).map(video_id => (
      <Polled video_id={video_id} />
    ))}
  </div>
)

type ShownCell = { download: Download; html: JSX.Element; tag: string }

/** Each cell as it is shown now. */
export const cellsOf = (downloads: Download[], now: Date): ShownCell[] =>
  downloads.map(download => {
    const html = <DownloadCell download={download} now={now} />
    return { download, html, tag: hashOf(String(html)) }
  })

/** A tag that changes when any of these cells does. */
export const tagOfCells = (cells: ShownCell[]): string => hashOf(cells.map(({ tag }) => tag).join(' '))

type Cells = {
  downloads: Download[]
  now: Date
  cells?: ShownCell[]
  /** The tag of the cell that the page shows, by video id. */
  known?: ReadonlyMap<string, string>
  /** How many downloads run or wait; needed when one of these has ended. */
  active?: number | undefined
}

/** The answer to a poll, as described above. */
export function DownloadCells({ downloads, now, cells = cellsOf(downloads, now), known = new Map(), active }: Cells) {
  const ended = downloads.filter(download => !isMoving(download, now))
  return (
    <>
      {cells
        .filter(({ download, tag }) => known.get(download.video_id) !== tag)
        .map(({ download, html, tag }) => (
          <>
            <hx-partial hx-target={`#${cellId(download.video_id)}`} hx-swap="outerMorph">
              {html}
            </hx-partial>
            {isMoving(download, now) && (
              <hx-partial hx-target={`#${polledId(download.video_id)}`} hx-swap="outerHTML">
                <Polled video_id={download.video_id} tag={tag} />
              </hx-partial>
            )}
          </>
        ))}
      {ended.map(({ video_id }) => (
        <Forget video_id={video_id} />
      ))}
      {active !== undefined && <ActiveCountPartial count={active} />}
      {ended.length === downloads.length && <StopPolling />}
    </>
  )
}

/**
 * The answer to an action on one download. The video is polled at least once more, and the ticker is always replaced:
 * htmx drops the answer to a request whose element is gone, so an older poll that is still running cannot undo this.
 */
export const DownloadChanged = ({ download, now }: { download: Download; now: Date }) => (
  <>
    <DownloadCell download={download} now={now} />
    <Forget video_id={download.video_id} />
    <hx-partial hx-target="#polled" hx-swap="beforeend">
      <Polled video_id={download.video_id} />
    </hx-partial>
    <hx-partial hx-target="#polling" hx-swap="outerHTML">
      <Ticker />
    </hx-partial>
  </>
)

/** Of the downloads page: no counts equal these, so the next poll gets all shelves in their order. Other pages have no such field. */
export const ShelvesMoved = () => (
  <hx-partial hx-target="#polled > [name=tally]" hx-swap="outerHTML">
    <input type="hidden" name="tally" value="moved" />
  </hx-partial>
)

export const StopPolling = () => (
  <hx-partial hx-target="#polling" hx-swap="outerHTML">
    <NoTicker />
  </hx-partial>
)

/** The ids of the downloads that the page should poll. */
export const movingIds = (downloads: Download[]): string[] =>
  downloads.filter(download => isMoving(download)).map(({ video_id }) => video_id)

const polledId = (video_id: string) => `polled-${cellId(video_id)}`

/** Both fields are always present, so that the two lists stay in the same order. */
const Polled = ({ video_id, tag = '' }: { video_id: string; tag?: string }) => (
  <span id={polledId(video_id)} hidden>
    <input type="hidden" name="video_id" value={video_id} />
    <input type="hidden" name="known" value={tag} />
  </span>
)

const Forget = ({ video_id }: { video_id: string }) => (
  <hx-partial hx-target={`#${polledId(video_id)}`} hx-swap="delete"></hx-partial>
)

/** `page/polling.js` keeps the last ETag with this element, so a new ticker starts without one. */
const Ticker = () => (
  <div
    id="polling"
    class="asking"
    hx-get="/api/download/status"
    hx-include="#polled"
    hx-trigger="every 1s"
    hx-swap="none"
  ></div>
)

const NoTicker = () => <div id="polling"></div>

/** As many ids as fit an address that every server accepts; the other cells change when the page is loaded again. */
function pollable(video_ids: string[]): string[] {
  let length = 0
  return video_ids.filter(video_id => {
    length += encodeURIComponent(video_id).length + '&video_id='.length + '&known=0000000'.length
    return length <= 6000
  })
}

/** A short hash of a text (32-bit FNV-1a), to see whether the text has changed. Not for secrets. */
export function hashOf(text: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return (hash >>> 0).toString(36)
}
