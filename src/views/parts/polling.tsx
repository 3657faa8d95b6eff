/**
 * Keeping the cells of a page true. One request a second asks for everything that moves; each answer brings the cells that
 * differ from what the page shows and, once all stand still, silences the asking. Answers to actions add to what is asked
 * for: they must not replace the list, or the answers to two quick clicks would lose one of them.
 */
import { type Download, isMoving } from '../../schema/download.ts'
import { cellId } from './cell-ids.ts'
import { DownloadCell } from './download-cell.tsx'
import { tagOf } from './tag.ts'

/** Stands once on every page that has cells. `shown`: further fields that go along with every request. */
export const Polling = ({ video_ids, shown }: { video_ids: string[]; shown?: Shown | undefined }) => (
  <>
    <PolledList video_ids={video_ids} shown={shown} />
    {video_ids.length === 0 ? <Silence /> : <Ticker />}
  </>
)

export type Shown = Record<string, string | undefined>

export const PolledList = ({ video_ids, shown = {} }: { video_ids: string[]; shown?: Shown | undefined }) => (
  <div id="polled">
    {Object.entries(shown).map(([name, value]) => value && <input type="hidden" name={name} value={value} />)}
    {askable(video_ids).map(video_id => (
      <Polled video_id={video_id} />
    ))}
  </div>
)

type Cells = {
  downloads: Download[]
  now: Date
  /** The tag of the cell that the page shows of each. */
  known?: ReadonlyMap<string, string>
}

/** The answer to a poll. */
export function DownloadCells({ downloads, now, known = new Map() }: Cells) {
  const still = downloads.filter(download => !isMoving(download, now))
  const cells = downloads.map(download => ({ download, ...cellOf(download, now) }))
  return (
    <>
      {cells
        .filter(({ download, tag }) => known.get(download.video_id) !== tag)
        .map(({ download, tag }) => (
          <>
            <hx-partial hx-target={`#${cellId(download.video_id)}`} hx-swap="outerMorph">
              <DownloadCell download={download} now={now} />
            </hx-partial>
            {isMoving(download, now) && (
              <hx-partial hx-target={`#${polledId(download.video_id)}`} hx-swap="outerHTML">
                <Polled video_id={download.video_id} tag={tag} />
              </hx-partial>
            )}
          </>
        ))}
      {still.map(({ video_id }) => (
        <Forget video_id={video_id} />
      ))}
      {still.length === downloads.length && <FallSilent />}
    </>
  )
}

/** The same for as long as these cells are. */
export const tagOfCells = (downloads: Download[], now: Date): string =>
  tagOf(downloads.map(download => cellOf(download, now).html).join('\n'))

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

export const FallSilent = () => (
  <hx-partial hx-target="#polling" hx-swap="outerHTML">
    <Silence />
  </hx-partial>
)

/** Those of a list that the page should ask about. */
export const movingIds = (downloads: Download[]): string[] =>
  downloads.filter(download => isMoving(download)).map(({ video_id }) => video_id)

function cellOf(download: Download, now: Date): { html: string; tag: string } {
  const html = String(<DownloadCell download={download} now={now} />)
  return { html, tag: tagOf(html) }
}

const polledId = (video_id: string) => `polled-${cellId(video_id)}`

/** Two fields, so that both lists stay in the same order. Without a tag the next answer brings the cell. */
const Polled = ({ video_id, tag = '' }: { video_id: string; tag?: string }) => (
  <span id={polledId(video_id)} hidden>
    <input type="hidden" name="video_id" value={video_id} />
    <input type="hidden" name="known" value={tag} />
  </span>
)

const Forget = ({ video_id }: { video_id: string }) => (
  <hx-partial hx-target={`#${polledId(video_id)}`} hx-swap="delete"></hx-partial>
)

/** The script of the page remembers the tag of the last answer with this element, and so begins anew with every new one. */
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
    length += encodeURIComponent(video_id).length + '&video_id='.length + '&known=0000000'.length
    return length <= 6000
  })
}
