/**
 * The fields of a rule, for one channel, for several, and for new ones, in three sentences: which videos, older videos, how long files
 * stay. Each sentence begins with a choice that shows its fields. While the rule is off, only its switch is shown. CSS does it all.
 */
import type { Child } from 'hono/jsx'
import { keep_fields, type LiveChoice } from '../../schema/rules/rule.ts'
import { choice_fields, type RuleFields as Values } from '../../schema/rules/rule-fields.ts'
import type { Playlist } from '../../schema/watching/playlist.ts'
import { Switch } from '../frames/settings-frame.tsx'
import { Button, Checkbox, Field, type FormState, MainButton, Select } from '../ui/forms.tsx'
import { Deletions, Preview, type PreviewProps } from './rule-preview.tsx'

type Props = FormState<Values>

/** A playlist that the rule can fill. */
export type RulePlaylist = Pick<Playlist, 'playlist_id' | 'name'>

type FormProps = Props &
  Omit<PreviewProps, 'errors'> & {
    /** Where the form is saved. */
    action: string
    /** What the switch turns on. */
    label: string
    playlists: RulePlaylist[]
    /** Above the rule. */
    before?: Child
    /** Below the button. */
    children?: Child
  }

/** The preview follows what is typed. Without a script, a button shows it. */
export const RuleForm = ({ action, label, playlists, values, errors, before, children, ...preview }: FormProps) => (
  <form class="rule-form" method="post" action={action}>
    <div class="rule">
      {before}
      <section class="setting-card">
        <Switch name="auto_download" label={label} checked={values.auto_download !== ''} />
        <div class="when-on">
          <WhichVideos values={values} errors={errors} />
          <OlderVideos values={values} errors={errors} />
          <Keep values={values} errors={errors} />
          {playlists.length > 0 && <PlaylistField playlists={playlists} chosen={values.playlist_id} />}
        </div>
      </section>
      <Deletions {...preview} />
      <div class="buttons">
        <MainButton>Save</MainButton>
        <Button class="scriptless" formaction={`${action}/preview`}>
          Preview
        </Button>
      </div>
      {children}
    </div>
    <Preview {...preview} path={`${action}/preview`} />
  </form>
)

type Option = { value: string; label: string; opens?: Child }

type ChoiceProps = { legend: string; name: string; chosen: string; options: Option[] }

/** A choice of one option, which shows its fields. */
const Choice = ({ legend, name, chosen, options }: ChoiceProps) => (
  <fieldset>
    <legend>{legend}</legend>
    {options.map(({ value, label, opens }) => (
      <>
        <Checkbox type="radio" label={label} name={name} value={value} checked={value === chosen} />
        {opens && <div class="opened">{opens}</div>}
      </>
    ))}
  </fieldset>
)

const WhichVideos = (form: Props) => (
  <Choice
    legend="Which videos"
    name="which"
    chosen={form.values.which ?? (isSet(form, choice_fields) ? 'some' : 'all')}
    options={[
      { value: 'all', label: 'All new videos' },
      { value: 'some', label: 'Only some videos…', opens: <Conditions {...form} /> },
    ]}
  />
)

const Conditions = (form: Props) => (
  <>
    <Field form={form} label="Title contains any of" name="title_words" hint="Separate with commas." />
    <div class="pair">
      <Field form={form} label="At least (minutes)" name="min_seconds" inputmode="decimal" />
      <Field form={form} label="At most (minutes)" name="max_seconds" inputmode="decimal" />
    </div>
    <p class="hint">Videos download once their length is known.</p>
    <Checkbox label="Skip Shorts" name="skip_shorts" checked={form.values.skip_shorts !== ''} />
    <div class="numbers">
      <Field
        form={form}
        label="Videos per day"
        name="most_per_day"
        inputmode="numeric"
        hint="Newest first; the rest wait until the next day (UTC)."
      />
    </div>
    <details class="more" open={isSet(form, ['without_words', 'title_pattern', 'live'])}>
      <summary>More conditions</summary>
      <div class="folded">
        <Select label="Live streams" name="live" options={live_choices} chosen={form.values.live} />
        <Field form={form} label="Title contains none of" name="without_words" placeholder="trailer, live" />
        <Field
          form={form}
          label="Title matches (regular expression)"
          name="title_pattern"
          hint="For example: ^Episode \d+"
          maxlength={200}
        />
      </div>
    </details>
  </>
)

const live_choices: [LiveChoice, string][] = [
  ['any', 'Download recordings too'],
  ['none', 'Skip recordings of live streams'],
  ['only', 'Only recordings of live streams'],
]

const OlderVideos = (form: Props) => {
  const { also_days, include_older, older } = form.values
  // A month is proposed, because this choice means nothing without a number.
  const proposed = { ...form, values: { ...form.values, also_days: also_days || '30' } }
  return (
    <Choice
      legend="Older videos"
      name="older"
      chosen={older ?? (isSet(form, ['also_days']) ? 'days' : include_older === '' ? 'none' : 'all')}
      options={[
        { value: 'none', label: 'None' },
        {
          value: 'days',
          label: 'Also download videos from the last … days',
          opens: (
            <>
              <div class="numbers">
                <Field
                  form={proposed}
                  label="Days"
                  name="also_days"
                  inputmode="numeric"
                  hint="Counted from when you save."
                />
              </div>
              <Checkbox
                label="Also those that loading older videos finds"
                name="include_older"
                checked={include_older !== ''}
              />
            </>
          ),
        },
        {
          value: 'all',
          label: 'Also download older videos',
          opens: <p class="hint">Deleted videos are not downloaded again.</p>,
        },
      ]}
    />
  )
}

const Keep = (form: Props) => (
  <Choice
    legend="Keep"
    name="keep"
    chosen={form.values.keep ?? (isSet(form, keep_fields) ? 'some' : 'all')}
    options={[
      { value: 'all', label: 'All files' },
      { value: 'some', label: 'Delete old files…', opens: <Limits {...form} /> },
    ]}
  />
)

const Limits = (form: Props) => (
  <>
    <div class="numbers">
      <Field form={form} label="Keep the newest (videos)" name="keep_newest" inputmode="numeric" />
      <Field form={form} label="Delete after (days)" name="keep_days" inputmode="numeric" />
      <Field
        form={form}
        label="Delete after watching (days)"
        name="delete_watched_days"
        inputmode="numeric"
        hint="Watching again restarts the count. Videos that you have watched already are not downloaded."
      />
      <Field form={form} label="But keep the newest watched (videos)" name="keep_newest_watched" inputmode="numeric" />
    </div>
    <p class="hint">Leave a field empty for no limit. Files that you download yourself or never delete stay.</p>
  </>
)

const PlaylistField = ({ playlists, chosen }: { playlists: RulePlaylist[]; chosen: string }) => (
  <Select
    label="Add to playlist"
    name="playlist_id"
    options={[['', 'None'], ...playlists.map(({ playlist_id, name }) => [playlist_id, name] as const)]}
    chosen={chosen || undefined}
  />
)

/** Whether one of these fields has a value or an error. */
const isSet = ({ values, errors }: Props, names: readonly (keyof Values)[]): boolean =>
  names.some(name => name in errors || !['', 'any'].includes(values[name] ?? ''))
