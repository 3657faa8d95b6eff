/**
 * Keeping the cells of a page true. One request a second asks for everything that moves; each answer says which cells to
 * morph and, once all stand still, silences the asking. Answers to actions add to what is asked for: they must not
 * replace the list, or the answers to two quick clicks would lose one of them.
 */
import { type Download, isMoving } from '../schema/download.ts'
import { cellId, DownloadCell } from './download-cell.tsx'

/** Stands once on every page that has cells. */
export const Polling = ({ video_ids }: { video_ids: string[] }) => (
  <>
    <div id="polled">
      {askable(video_ids).map(video_id => (
        <Polled video_id={video_id} />
      ))}
    </div>
    {video_ids.length === 0 ? <Silence /> : <Ticker />}
  </>
)

/** The answer to a poll. */
export function DownloadCells({ downloads, now }: { downloads: Download[]; now: Date }) {
  const still = downloads.filter(download => !isMoving(download))
  return (
    <>
      {downloads.map(download => (
        <hx-partial hx-target={`#${cellId(download.video_id)}`} hx-swap="outerMorph">
          <DownloadCell download={download} now={now} />
        </hx-partial>
      ))}
      {still.map(({ video_id }) => (
        <Forget video_id={video_id} />
      ))}
      {still.length === downloads.length && (
        <hx-partial hx-target="#polling" hx-swap="outerHTML">
          <Silence />
        </hx-partial>
      )}
    </>
  )
}

/**
 * The answer to an action on one download. It is asked for once more even when it stands still, and the ticker is always
 * new: htmx drops the answer to a request whose element has gone, so an older poll still under way cannot undo this.
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

/** Those of a list that the page should ask about. */
export const movingIds = (downloads: Download[]): string[] => downloads.filter(isMoving).map(({ video_id }) => video_id)

const polledId = (video_id: string) => `polled-${cellId(video_id)}`

const Polled = ({ video_id }: { video_id: string }) => (
  <input type="hidden" id={polledId(video_id)} name="video_id" value={video_id} />
)

const Forget = ({ video_id }: { video_id: string }) => (
  <hx-partial hx-target={`#${polledId(video_id)}`} hx-swap="delete"></hx-partial>
)

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

const Silence = () => <div id="polling"></div>

/** As many as fit an address that every server takes; the others are true when the page is opened again. */
function askable(video_ids: string[]): string[] {
  let length = 0
  return video_ids.filter(video_id => {
    length += encodeURIComponent(video_id).length + '&video_id='.length
    return length <= 6000
  })
}
