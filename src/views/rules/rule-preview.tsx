/** What saving a rule would do: a sentence, and the videos with the reasons why not. */
import type { RulePreview } from '../../schema/rules/rule.ts'
import { staysWords } from '../ui/delete-watched.tsx'
import { Button } from '../ui/forms.tsx'
import { Ago } from '../ui/times.tsx'
import { countWords } from '../ui/words.ts'

const id = 'preview'

/** Shows the preview below the form; without a script, on a page of its own. */
export const PreviewButton = ({ path }: { path: string }) => (
  <Button formaction={path} hx-post={path} hx-target={`#${id}`} hx-swap="outerHTML">
    Preview
  </Button>
)

type Props = {
  preview?: RulePreview | undefined
  /** Error sentences by field. */
  errors?: Record<string, string>
  now: Date
}

export const Preview = ({ preview, errors = {}, now }: Props) => (
  <section id={id} class="preview" aria-live="polite">
    {Object.values(errors).map(sentence => (
      <p class="fault">{sentence}</p>
    ))}
    {preview && <Shown preview={preview} now={now} />}
  </section>
)

const Shown = ({ preview, now }: { preview: RulePreview; now: Date }) => {
  const { would_download, would_delete, delete_count, skipped } = preview
  return (
    <>
      <h2>Preview</h2>
      <p>{sentenceOf(preview)}</p>
      <Videos label={`Would download (${would_download.length})`} videos={would_download} now={now} open />
      <Videos label={`Would delete (${delete_count})`} videos={would_delete} now={now} />
      <Videos label={`Would not download (${skipped.length})`} videos={skipped} now={now} />
    </>
  )
}

type Listed = RulePreview['would_download'][number] & { reason?: string }

const Videos = ({ label, videos, now, open }: { label: string; videos: Listed[]; now: Date; open?: boolean }) =>
  videos.length === 0 ? null : (
    <details class="more" open={open}>
      <summary>{label}</summary>
      <ul class="rows">
        {videos.map(({ title, published_at, reason }) => (
          <li class="row">
            <div class="about">
              <p class="title" dir="auto">
                {title}
              </p>
              <p class="quiet">
                {reason}
                {reason && published_at && ' · '}
                {published_at && <Ago at={published_at} now={now} />}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </details>
  )

/** "This would download 12 of the 15 newest videos now, about 3 a week. 2 files would be deleted." */
export function sentenceOf(preview: RulePreview): string {
  const { would_download, newest_count, newest_downloads, delete_count, only_copies, has_more, per_week } = preview
  if (newest_count === 0) return 'There are no videos yet.'
  const older = would_download.length - newest_downloads
  const now =
    newest_count === 1
      ? `This would download ${newest_downloads === 1 ? 'the only video' : 'nothing'} now`
      : `This would download ${newest_downloads === 0 ? 'none' : newest_downloads} of the ${newest_count} newest videos now`
  const parts = [
    `${now}${older > 0 ? ` and ${countWords(older, 'older video')}` : ''}${per_week === null ? '' : `, ${paceWords(per_week)}`}.`,
    ...(has_more ? ['More older videos would follow within minutes.'] : []),
    ...(delete_count > 0 ? [`${countWords(delete_count, 'file')} would be deleted.`] : []),
    staysWords({ pinned: 0, only_copies }),
  ]
  return parts.filter(Boolean).join(' ')
}

function paceWords(per_week: number): string {
  if (per_week >= 0.75) return `about ${Math.round(per_week)} a week`
  const per_month = Math.round((per_week * 52) / 12)
  if (per_month >= 1) return `about ${per_month} a month`
  return per_week === 0 ? 'and none of the videos of the last months fit' : 'less than one a month'
}
