/**
 * The fields of a rule, for one channel, for several, and for new ones, and the preview of what saving the rule would do. The fields that
 * few people need are folded.
 */
import type { LiveChoice, RulePreview } from '../../schema/rules/rule.ts'
import type { RuleFields as Values } from '../../schema/rules/rule-form.ts'
import { countWords } from '../../schema/values/words.ts'
import { staysWords } from '../ui/deleting.tsx'
import { Button, Checkbox, Field, type FieldProps } from '../ui/forms.tsx'
import { Ago } from '../ui/times.tsx'

/** `errors`: sentences by field. */
type Props = { values: Values; errors: Record<string, string> }

/** `label`: what the first checkbox turns on. */
export const RuleFields = ({ label, values, errors }: Props & { label: string }) => (
  <>
    <Checkbox label={label} name="auto_download" checked={values.auto_download !== undefined} />
    <WhichVideos values={values} errors={errors} />
    <Backlog values={values} errors={errors} />
    <Retention values={values} errors={errors} />
  </>
)

const WhichVideos = (form: Props) => (
  <fieldset>
    <legend>Which videos</legend>
    <RuleField
      form={form}
      label="Title contains any of"
      name="title_words"
      hint="Separate with commas. Leave empty for all."
    />
    <div class="pair">
      <RuleField form={form} label="At least (minutes)" name="min_seconds" inputmode="decimal" />
      <RuleField form={form} label="At most (minutes)" name="max_seconds" inputmode="decimal" />
    </div>
    <p class="hint">A video of unknown length waits until its length is known.</p>
    <RuleField
      form={form}
      label="At most per day (videos)"
      name="most_per_day"
      inputmode="numeric"
      hint="The newest first. The rest waits for the next day, which begins at midnight UTC."
    />
    <Checkbox label="Skip Shorts" name="skip_shorts" checked={form.values.skip_shorts !== undefined} />
    <details class="more" open={isOpen(form, ['without_words', 'title_pattern', 'live'])}>
      <summary>More conditions</summary>
      <div class="folded">
        <LiveField chosen={form.values.live} />
        <RuleField form={form} label="Title contains none of" name="without_words" placeholder="trailer, live" />
        <RuleField
          form={form}
          label="Title matches (regular expression)"
          name="title_pattern"
          hint="For example: ^Episode \d+"
          maxlength={200}
        />
      </div>
    </details>
  </fieldset>
)

type RuleFieldProps = Omit<FieldProps, 'name' | 'value' | 'error'> & { form: Props; name: keyof Values }

/** A field with the value and the error of its name. */
const RuleField = ({ form: { values, errors }, name, ...field }: RuleFieldProps) => (
  <Field {...field} name={name} value={values[name]} error={errors[name]} />
)

const LiveField = ({ chosen }: { chosen: string }) => (
  <div class="field">
    <label for="live">Live streams</label>
    <select id="live" name="live">
      {live_choices.map(({ value, label }) => (
        <option value={value} selected={value === chosen}>
          {label}
        </option>
      ))}
    </select>
  </div>
)

const live_choices: { value: LiveChoice; label: string }[] = [
  { value: 'any', label: 'Download recordings too' },
  { value: 'none', label: 'Skip recordings of live streams' },
  { value: 'only', label: 'Only recordings of live streams' },
]

const Backlog = (form: Props) => (
  <fieldset>
    <legend>Older videos</legend>
    <RuleField
      form={form}
      label="Also videos of the last (days)"
      name="also_days"
      inputmode="numeric"
      hint="Counted from when you save. Leave empty for future videos only."
    />
    <Checkbox
      label="Include older videos, also those found by “Load older videos”"
      name="include_older"
      checked={form.values.include_older !== undefined}
    />
    <p class="hint">With a number of days, only as far back as that. Deleted videos are not downloaded again.</p>
  </fieldset>
)

const Retention = (form: Props) => (
  <fieldset>
    <legend>How long files stay</legend>
    <RuleField
      form={form}
      label="Keep at most (videos)"
      name="keep_newest"
      inputmode="numeric"
      hint="The newest ones. Leave empty to keep all."
    />
    <RuleField
      form={form}
      label="Delete after (days)"
      name="keep_days"
      inputmode="numeric"
      hint="Leave empty to keep forever. Files that you keep forever or download yourself are never deleted."
    />
    <details class="more" open={isOpen(form, ['delete_watched_days', 'keep_newest_watched'])}>
      <summary>Watched videos</summary>
      <div class="folded">
        <RuleField
          form={form}
          label="Delete after watching (days)"
          name="delete_watched_days"
          inputmode="numeric"
          hint="Watching again restarts the count. Videos that you have watched already are not downloaded. Leave empty to keep watched videos."
        />
        <RuleField
          form={form}
          label="But keep the newest (videos)"
          name="keep_newest_watched"
          inputmode="numeric"
          hint="The newest watched videos stay."
        />
      </div>
    </details>
  </fieldset>
)

/** Fields that are set or have an error are not folded. */
const isOpen = ({ values, errors }: Props, names: (keyof Values)[]): boolean =>
  names.some(name => name in errors || !['', 'any'].includes(values[name] ?? ''))

const preview_id = 'preview'

/** Shows the preview below the form; without a script, on a page of its own. */
export const PreviewButton = ({ path }: { path: string }) => (
  <Button formaction={path} hx-post={path} hx-target={`#${preview_id}`} hx-swap="outerHTML">
    Preview
  </Button>
)

type PreviewProps = {
  preview?: RulePreview | undefined
  /** Error sentences by field. */
  errors?: Record<string, string>
  now: Date
}

/** What saving a rule would do: a sentence, and the videos with the reasons why not. */
export const Preview = ({ preview, errors = {}, now }: PreviewProps) => (
  <section id={preview_id} class="preview" aria-live="polite">
    {Object.values(errors).map(sentence => (
      <p class="fault">{sentence}</p>
    ))}
    {preview && <PreviewContent preview={preview} now={now} />}
  </section>
)

const PreviewContent = ({ preview, now }: { preview: RulePreview; now: Date }) => {
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
