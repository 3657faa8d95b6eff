/** The preview of what saving a rule would do: a sentence, the videos that fit, and those that do not, with the reason. */
import { older_than_rule, type RulePreview, type RulesPreview } from '../../schema/rules/rule.ts'
import { bytesWords, countWords, numberWords } from '../../schema/values/words.ts'
import { staysWords } from '../parts/deleting.tsx'
import { Ago } from '../ui/times.tsx'

export type PreviewProps = {
  /** Of one channel, or of several. Absent while there is nothing to show. */
  preview?: RulePreview | RulesPreview | undefined
  /** Files are deleted only when the rule replaces those of all channels. */
  deletes_if_replaced?: boolean
  /** Error sentences by field. */
  errors?: Record<string, string>
  now: Date
}

/** Asks again when the form around it changes. */
export const Preview = ({ path, ...content }: PreviewProps & { path: string }) => (
  <section
    class="preview"
    aria-label="Preview"
    aria-live="polite"
    hx-post={path}
    hx-trigger='input delay:400ms from:"closest form"'
    hx-include="closest form"
    hx-sync="this:replace"
    hx-swap="innerHTML"
  >
    <PreviewContent {...content} />
  </section>
)

/** The answer to htmx. The form stays as it is typed, so its errors are here. */
export const PreviewAnswer = (content: PreviewProps) => (
  <>
    <PreviewContent {...content} />
    <hx-partial hx-target=".deletions" hx-swap="innerHTML">
      <DeletionsContent {...content} />
    </hx-partial>
  </>
)

const PreviewContent = ({ preview, errors = {}, now }: PreviewProps) => {
  const { fitting, unfitting } = !preview || 'fitting' in preview ? (preview ?? nothing) : apart(preview)
  return (
    <>
      {Object.values(errors).map(sentence => (
        <p class="fault">{sentence}</p>
      ))}
      {preview && (
        <>
          <h3>Preview</h3>
          <p>{'fitting' in preview ? sentenceOfSeveral(preview) : sentenceOf(preview)}</p>
          <Videos label="Fits" videos={fitting} now={now} />
          <Videos label="Does not fit" videos={unfitting} now={now} />
        </>
      )}
    </>
  )
}

const nothing = { fitting: [], unfitting: [] }

/** The files that the rule would not keep, above the button that saves it. */
export const Deletions = (content: PreviewProps) => (
  <div class="deletions" aria-live="polite">
    <DeletionsContent {...content} />
  </div>
)

type Listed = RulePreview['would_download'][number] & { reason?: string | undefined }

/** Age and downloads are no reasons why a video does not fit. */
const apart = ({ would_download, skipped }: RulePreview): { fitting: Listed[]; unfitting: Listed[] } => ({
  fitting: [
    ...would_download.map(video => ({ ...video, reason: 'Downloads now' })),
    ...skipped
      .filter(({ fits }) => fits)
      .map(({ reason, ...video }) => ({ ...video, reason: reason === older_than_rule ? 'Not new' : reason })),
  ],
  unfitting: skipped.filter(({ fits }) => !fits),
})

const DeletionsContent = ({ preview, deletes_if_replaced = false, now }: PreviewProps) => {
  if (!preview) return null
  const { would_delete, delete_count, delete_bytes, only_copies } = preview
  const stay = staysWords({ pinned: 0, only_copies })
  if (delete_count === 0) return stay ? <p>{stay}</p> : null
  const files = `${countWords(delete_count, 'file')} (${bytesWords(delete_bytes)})`
  const are = deletes_if_replaced
    ? `If it replaces the rules of all channels, ${files} ${delete_count === 1 ? 'is' : 'are'} deleted.`
    : `${files} will be deleted.`
  return (
    <details class="more">
      <summary class="fault">
        {are} {stay}
      </summary>
      <VideoList videos={would_delete} now={now} />
    </details>
  )
}

/** How many are shown before the rest is folded. */
const first = 8

const Videos = ({ label, videos, now }: { label: string; videos: Listed[]; now: Date }) =>
  videos.length === 0 ? null : (
    <>
      <h4>
        {label} ({numberWords(videos.length)})
      </h4>
      <VideoList videos={videos.slice(0, first)} now={now} />
      {videos.length > first && (
        <details class="more">
          <summary>{numberWords(videos.length - first)} more</summary>
          <VideoList videos={videos.slice(first)} now={now} />
        </details>
      )}
    </>
  )

const VideoList = ({ videos, now }: { videos: Listed[]; now: Date }) => (
  <ul class="previewed">
    {videos.map(video => (
      <PreviewedVideo video={video} now={now} />
    ))}
  </ul>
)

const PreviewedVideo = ({ video: { title, reason, published_at }, now }: { video: Listed; now: Date }) => (
  <li>
    <span class="title">
      <span dir="auto">{title}</span>
    </span>
    <span class="quiet">
      {reason}
      {reason && published_at && ' · '}
      {published_at && <Ago at={published_at} now={now} />}
    </span>
  </li>
)

/** "4 of the 15 newest fit. None is new, so nothing downloads now. Expect about 1 a week." */
export function sentenceOf(preview: RulePreview): string {
  const { newest_count, newest_fits, has_more, per_week } = preview
  if (newest_count === 0) return 'There are no videos yet.'
  const parts = [
    fitWords(newest_fits, newest_count),
    nowWords(preview),
    has_more ? 'More older videos follow within minutes.' : '',
    paceWords(per_week),
  ]
  return parts.filter(Boolean).join(' ')
}

const sentenceOfSeveral = ({ fitting, unfitting, per_week }: RulesPreview): string => {
  const newest_count = fitting.length + unfitting.length
  if (newest_count === 0) return 'There are no videos yet.'
  return [fitWords(fitting.length, newest_count), paceWords(per_week)].filter(Boolean).join(' ')
}

function fitWords(fits: number, newest: number): string {
  if (newest === 1) return fits === 1 ? 'The only video fits.' : 'The only video does not fit.'
  if (fits === 0) return `None of the ${numberWords(newest)} newest fits.`
  if (fits === newest) return `All of the ${numberWords(newest)} newest fit.`
  return `${numberWords(fits)} of the ${numberWords(newest)} newest ${fits === 1 ? 'fits' : 'fit'}.`
}

function nowWords({ would_download, newest_fits, newest_downloads, skipped }: RulePreview): string {
  const older = would_download.length - newest_downloads
  if (would_download.length > 0) {
    const of_newest = newest_downloads === 0 ? '' : countWords(newest_downloads, 'video')
    const both = [of_newest, older > 0 && countWords(older, 'older video')].filter(Boolean).join(' and ')
    return `${both} ${would_download.length === 1 ? 'downloads' : 'download'} now.`
  }
  if (newest_fits === 0) return 'Nothing downloads now.'
  const is_old = skipped.filter(({ fits }) => fits).every(({ reason }) => reason === older_than_rule)
  if (!is_old) return 'Nothing downloads now.'
  return newest_fits === 1 ? 'It is not new, so nothing downloads now.' : 'None is new, so nothing downloads now.'
}

function paceWords(per_week: number | null): string {
  if (per_week === null) return ''
  if (per_week >= 0.75) return `Expect about ${Math.round(per_week)} a week.`
  const per_month = Math.round((per_week * 52) / 12)
  if (per_month >= 1) return `Expect about ${per_month} a month.`
  return per_week === 0 ? 'None of the last months fits.' : 'Expect less than one a month.'
}
