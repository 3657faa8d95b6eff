/** The fields of a rule, for one channel, for several, and for new ones. What few people need is folded. */
import type { LiveChoice } from '../../schema/rules/rule.ts'
import type { RuleFields as Values } from '../../schema/rules/rule-form.ts'
import { Checkbox, Field, type FieldProps } from '../ui/forms.tsx'

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

/** What is set, or has an error, is not hidden. */
const isOpen = ({ values, errors }: Props, names: (keyof Values)[]): boolean =>
  names.some(name => name in errors || !['', 'any'].includes(values[name] ?? ''))
