/** Rules over several channels: the default for new ones in the settings, and one rule for channels that are chosen from a list. */
import type { Channel } from '../../schema/channels/channel.ts'
import type { RuleFields as Values } from '../../schema/rules/rule-fields.ts'
import { countWords } from '../../schema/values/words.ts'
import type { PageContext } from '../frames/context.ts'
import { Heading, Layout } from '../frames/layout.tsx'
import { SettingsFrame } from '../frames/settings-frame.tsx'
import { Button, Checkbox, FormError, type FormState } from '../ui/forms.tsx'
import { RuleForm, type RulePlaylist } from './rule-form.tsx'
import type { PreviewProps } from './rule-preview.tsx'

type Form = FormState<Values> & Pick<PreviewProps, 'preview'> & { page: PageContext; playlists: RulePlaylist[] }

export const default_rule_path = '/settings/auto-download'
export const rules_path = '/channels/rules'

/** `followed`: how many channels the person follows. */
export const DefaultRulePage = ({ page, followed, ...form }: Form & { followed: number }) => (
  <SettingsFrame page={page} subject="downloads" title="Auto-download for new channels">
    <RuleForm
      {...form}
      action={default_rule_path}
      label="Download videos of new channels automatically"
      now={page.now}
      deletes_if_replaced
      before={
        <p class="hint">Each channel that you follow from now on gets a copy, which you can change in its settings.</p>
      }
    >
      {followed > 0 && (
        <details class="more">
          <summary>Use for all channels now</summary>
          <div class="folded">
            <p>
              Save this, and replace the auto-download rules of {countWords(followed, 'channel')} with it? Files the new
              rule doesn't keep will be deleted.
            </p>
            <p>
              <Button kind="danger" formaction={`${default_rule_path}/all`}>
                Replace
              </Button>
            </p>
          </div>
        </details>
      )}
      {followed > 1 && (
        <p>
          <a href={rules_path}>Choose channels for one rule</a>
        </p>
      )}
    </RuleForm>
  </SettingsFrame>
)

type SeveralProps = Form & {
  channels: Pick<Channel, 'channel_id' | 'title'>[]
  /** The ids of the chosen channels, or `all`. */
  chosen: ReadonlySet<string> | 'all'
}

export const RulesPage = ({ page, channels, chosen, ...form }: SeveralProps) => (
  <Layout page={page} title="Auto-download for several channels">
    <Heading title="Auto-download for several channels">
      <a href="/channels">Channels</a>
    </Heading>
    <RuleForm
      {...form}
      action={rules_path}
      label="Download new videos automatically"
      now={page.now}
      before={<ChosenChannels channels={channels} chosen={chosen} error={form.errors.channel_ids} />}
    >
      <p class="hint">Replaces their rules. Files the new rule doesn't keep will be deleted.</p>
    </RuleForm>
  </Layout>
)

type ChosenProps = Pick<SeveralProps, 'channels' | 'chosen'> & { error: string | undefined }

const ChosenChannels = ({ channels, chosen, error }: ChosenProps) => (
  <fieldset class="setting-card">
    <legend class="spoken">Channels</legend>
    <h2>Channels</h2>
    <FormError error={error} />
    <Checkbox label={`All ${countWords(channels.length, 'channel')}`} name="all" checked={chosen === 'all'} />
    <ul class="choices">
      {channels.map(({ channel_id, title }) => (
        <li>
          <Checkbox
            label={<span dir="auto">{title}</span>}
            name="channel_id"
            value={channel_id}
            checked={chosen !== 'all' && chosen.has(channel_id)}
          />
        </li>
      ))}
    </ul>
  </fieldset>
)
