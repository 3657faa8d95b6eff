/** What a channel fetches without a click, as a form. */
import type { Channel } from '../../schema/channel.ts'
import type { Quality } from '../../schema/quality.ts'
import type { RuleFields } from '../../schema/rule.ts'
import type { PageContext } from '../parts/context.ts'
import { Button, Checkbox, Field } from '../parts/forms.tsx'
import { Layout } from '../parts/layout.tsx'
import { ChannelQuality } from '../parts/quality.tsx'
import { channelPath } from '../parts/words.ts'

type Props = {
  page: PageContext
  channel: Channel
  /** What quality holds where the channel has none of its own. */
  usual: Quality
  values: RuleFields
  /** Sentences by field. */
  errors: Record<string, string>
}

export const ChannelSettingsPage = ({ page, channel, usual, values, errors }: Props) => (
  <Layout page={page} title={`Settings of ${channel.title}`}>
    <header class="heading">
      <h1>Settings</h1>
      <p class="quiet">
        <a href={channelPath(channel)}>{channel.title}</a>
      </p>
    </header>
    <form class="settings" method="post" action={settingsPath(channel)}>
      <h2>New videos</h2>
      <Checkbox
        label="Download new videos by themselves"
        name="auto_download"
        checked={values.auto_download !== undefined}
      />
      <p class="hint">Only videos that appear from now on. Delete one, and it is not fetched again unless you ask.</p>
      <Which values={values} errors={errors} />
      <HowLong values={values} errors={errors} />
      <Button kind="main">Save</Button>
    </form>
    <ChannelQuality channel={channel} usual={usual} />
  </Layout>
)

const Which = ({ values, errors }: Pick<Props, 'values' | 'errors'>) => (
  <fieldset>
    <legend>Which of them</legend>
    <Field
      label="Title has one of these words"
      name="title_words"
      value={values.title_words}
      error={errors.title_words}
      hint="With commas in between, in any case. Empty: every title will do."
    />
    <Field
      label="Title has none of these words"
      name="without_words"
      value={values.without_words}
      error={errors.without_words}
      placeholder="trailer, live"
    />
    <Field
      label="Title fits this expression"
      name="title_pattern"
      value={values.title_pattern}
      error={errors.title_pattern}
      hint="A regular expression, for those who know them: ^Episode \d+"
      maxlength={200}
    />
    <Checkbox label="Leave out shorts" name="skip_shorts" checked={values.skip_shorts !== undefined} />
  </fieldset>
)

const HowLong = ({ values, errors }: Pick<Props, 'values' | 'errors'>) => (
  <fieldset>
    <legend>How long they stay</legend>
    <Field
      label="Keep the newest"
      name="keep_newest"
      value={values.keep_newest}
      error={errors.keep_newest}
      hint="So many videos. Empty: all of them."
    />
    <Field
      label="Days to keep each"
      name="keep_days"
      value={values.keep_days}
      error={errors.keep_days}
      hint="Empty: for as long as you like. What you pin or download yourself always stays."
    />
  </fieldset>
)

export const settingsPath = (channel: Pick<Channel, 'channel_id'>): string => `${channelPath(channel)}/settings`
