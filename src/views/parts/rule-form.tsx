/** The fields of a rule, for one channel, for several, and for new ones. What few people need is folded. */
import type { LiveChoice } from '../../schema/rule.ts'
import type { RuleFields as Values } from '../../schema/rule-form.ts'
import { Checkbox, Field } from './forms.tsx'

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

const WhichVideos = ({ values, errors }: Props) => (
  <fieldset>
    <legend>Which videos</legend>
    <Field
      label="Title contains any of"
      name="title_words"
      value={values.title_words}
      error={errors.title_words}
      hint="Separate with commas. Leave empty for all."
    />
    <div class="pair">
      <Field
        label="At least (minutes)"
        name="min_seconds"
        inputmode="decimal"
        value={values.min_seconds}
        error={errors.min_seconds}
      />
      <Field
        label="At most (minutes)"
        name="max_seconds"
        inputmode="decimal"
        value={values.max_seconds}
        error={errors.max_seconds}
      />
    </div>
    <p class="hint">A video of unknown length waits until its length is known.</p>
    <Field
      label="At most per day (videos)"
      name="most_per_day"
      inputmode="numeric"
      value={values.most_per_day}
      error={errors.most_per_day}
      hint="The newest first. The rest waits for the next day, which begins at midnight UTC."
    />
    <Checkbox label="Skip Shorts" name="skip_shorts" checked={values.skip_shorts !== undefined} />
    <details class="more" open={isOpen(values, errors, ['without_words', 'title_pattern', 'live'])}>
      <summary>More conditions</summary>
      <div class="folded">
        <LiveField chosen={values.live} />
        <Field
          label="Title contains none of"
          name="without_words"
          value={values.without_words}
          error={errors.without_words}
          placeholder="trailer, live"
        />
        <Field
          label="Title matches (regular expression)"
          name="title_pattern"
          value={values.title_pattern}
          error={errors.title_pattern}
          hint="For example: ^Episode \d+"
          maxlength={200}
        />
      </div>
    </details>
  </fieldset>
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

const Backlog = ({ values, errors }: Props) => (
  <fieldset>
    <legend>Older videos</legend>
    <Field
      label="Also videos of the last (days)"
      name="also_days"
      inputmode="numeric"
      value={values.also_days}
      error={errors.also_days}
      hint="Counted from when you save. Leave empty for future videos only."
    />
    <Checkbox
      label="Include older videos, also those found by “Load older videos”"
      name="include_older"
      checked={values.include_older !== undefined}
    />
    <p class="hint">With a number of days, only as far back as that. Deleted videos are not downloaded again.</p>
  </fieldset>
)

const Retention = ({ values, errors }: Props) => (
  <fieldset>
    <legend>How long files stay</legend>
    <Field
      label="Keep at most (videos)"
      name="keep_newest"
      inputmode="numeric"
      value={values.keep_newest}
      error={errors.keep_newest}
      hint="The newest ones. Leave empty to keep all."
    />
    <Field
      label="Delete after (days)"
      name="keep_days"
      inputmode="numeric"
      value={values.keep_days}
      error={errors.keep_days}
      hint="Leave empty to keep forever. Files that you keep forever or download yourself are never deleted."
    />
    <details class="more" open={isOpen(values, errors, ['delete_watched_days', 'keep_newest_watched'])}>
      <summary>Watched videos</summary>
      <div class="folded">
        <Field
          label="Delete after watching (days)"
          name="delete_watched_days"
          inputmode="numeric"
          value={values.delete_watched_days}
          error={errors.delete_watched_days}
          hint="Watching again restarts the count. Videos that you have watched already are not downloaded. Leave empty to keep watched videos."
        />
        <Field
          label="But keep the newest (videos)"
          name="keep_newest_watched"
          inputmode="numeric"
          value={values.keep_newest_watched}
          error={errors.keep_newest_watched}
          hint="The newest watched videos stay."
        />
      </div>
    </details>
  </fieldset>
)

/** What is set, or has an error, is not hidden. */
const isOpen = (values: Values, errors: Record<string, string>, names: (keyof Values)[]): boolean =>
  names.some(name => name in errors || !['', 'any'].includes(values[name] ?? ''))
