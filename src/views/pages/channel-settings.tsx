/** The settings of one channel: auto-download, retention and quality. */
import type { Channel } from '../../schema/channel.ts'
import type { Quality } from '../../schema/quality.ts'
import type { RuleFields } from '../../schema/rule-form.ts'
import type { PageContext } from '../parts/context.ts'
import { Button, Checkbox, Field } from '../parts/forms.tsx'
import { Layout } from '../parts/layout.tsx'
import { ChannelQuality } from '../parts/quality.tsx'
import { channelPath } from '../parts/words.ts'

type Props = {
  page: PageContext
  channel: Channel
  /** The person's default quality, used when the channel has none of its own. */
  usual: Quality
  values: RuleFields
  /** Error sentences by field. */
  errors: Record<string, string>
}

export const ChannelSettingsPage = ({ page, channel, usual, values, errors }: Props) => (
  <Layout page={page} title={`Settings for ${channel.title}`}>
    <header class="heading">
      <h1>Settings</h1>
      <p class="quiet">
        <a href={channelPath(channel)}>{channel.title}</a>
      </p>
    </header>
    <form class="settings" method="post" action={settingsPath(channel)}>
      <h2>Auto-download</h2>
      <Checkbox
        label="Download new videos automatically"
        name="auto_download"
        checked={values.auto_download !== undefined}
      />
      <p class="hint">Applies to future videos. Deleted videos are not downloaded again.</p>
      <WhichVideos values={values} errors={errors} />
      <Retention values={values} errors={errors} />
      <Button kind="main">Save</Button>
    </form>
    <ChannelQuality channel={channel} usual={usual} />
  </Layout>
)

const WhichVideos = ({ values, errors }: Pick<Props, 'values' | 'errors'>) => (
  <fieldset>
    <legend>Which videos</legend>
    <Field
      label="Title contains any of"
      name="title_words"
      value={values.title_words}
      error={errors.title_words}
      hint="Separate with commas. Leave empty for all."
    />
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
    <Checkbox label="Skip Shorts" name="skip_shorts" checked={values.skip_shorts !== undefined} />
  </fieldset>
)

const Retention = ({ values, errors }: Pick<Props, 'values' | 'errors'>) => (
  <fieldset>
    <legend>Retention</legend>
    <Field
      label="Keep at most"
      name="keep_newest"
      value={values.keep_newest}
      error={errors.keep_newest}
      hint="Number of videos. Leave empty to keep all."
    />
    <Field
      label="Delete after"
      name="keep_days"
      value={values.keep_days}
      error={errors.keep_days}
      hint="Number of days. Leave empty to keep forever. Files that you keep forever or download yourself are never deleted."
    />
  </fieldset>
)

export const settingsPath = (channel: Pick<Channel, 'channel_id'>): string => `${channelPath(channel)}/settings`
